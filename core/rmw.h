/*
 * rmw.h - what atomic read-modify-writes compute, and atomic accesses done natively.
 *
 * The arithmetic is here alone: a step of a controlled execution asks for a result and stores
 * it as its model wants; the detect flavour, and a controlled program that runs by itself, have
 * the processor do the access. All native accesses are full fences but the store, which
 * releases. Sizes are 1, 2, 4, 8 and 16 bytes; values and operands are zero-extended.
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

/* What enum sm_rmw_op makes of the value found and the operand. */
sm_wide sm_rmw_result(sm_wide old, sm_wide operand, uint8_t op, unsigned size);

sm_wide sm_native_load(const void *addr, unsigned size);
/* The value found; it was replaced by `to` if it was `from`. */
sm_wide sm_native_cas(void *addr, sm_wide from, sm_wide to, unsigned size);
/* The value found, replaced by sm_rmw_result. */
sm_wide sm_native_rmw(void *addr, sm_wide operand, uint8_t op, unsigned size);
void sm_native_store(void *addr, sm_wide value, unsigned size);

#endif
