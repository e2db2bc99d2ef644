/*
 * rmw.h - the arithmetic of atomic read-modify-writes, and native atomic accesses.
 *
 * The arithmetic is only here: a step of a controlled execution asks for a result and stores it as
 * its model demands; the detect flavour, and a controlled program that runs by itself, let the
 * processor do the access. Native read-modify-writes and 16-byte accesses are full fences, loads
 * are seq_cst, stores release. Sizes are 1, 2, 4, 8 and 16 bytes; values and operands are
 * zero-extended.
 */
#ifndef SM_CORE_RMW_H
#define SM_CORE_RMW_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 sm_wide;

static inline sm_wide sm_wide_truncate(sm_wide value, unsigned size)
{
    return size == 16 ? value : value & (((sm_wide)1 << (8 * size)) - 1);
}

/* The result of an enum sm_rmw_op on the old value and the operand. */
sm_wide sm_rmw_result(sm_wide old, sm_wide operand, uint8_t op, unsigned size);

sm_wide sm_native_load(const void *addr, unsigned size);
/* Returns the old value; it was replaced by `to` if it was `from`. */
sm_wide sm_native_cas(void *addr, sm_wide from, sm_wide to, unsigned size);
/* Returns the old value, replaced by sm_rmw_result. */
sm_wide sm_native_rmw(void *addr, sm_wide operand, uint8_t op, unsigned size);
void sm_native_store(void *addr, sm_wide value, unsigned size);

#endif
