/*
 * rmw.h - atomic accesses done natively, of every size and operation. All are full fences but
 * the store, which releases.
 */
#ifndef SM_DETECT_RMW_H
#define SM_DETECT_RMW_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 sm_wide;

sm_wide sm_native_load(const void *addr, unsigned size);
/* The value found; it was replaced by `to` if it was `from`. */
sm_wide sm_native_cas(void *addr, sm_wide from, sm_wide to, unsigned size);
/* The value found, replaced by what enum sm_rmw_op makes of it and the operand. */
sm_wide sm_native_rmw(void *addr, sm_wide operand, uint8_t op, unsigned size);
void sm_native_store(void *addr, sm_wide value, unsigned size);

#endif
