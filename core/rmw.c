/*
 * rmw.c - see rmw.h.
 */
#include "core/rmw.h"

#include <string.h>

#include "abi/site.h"

/* ---- what is computed ---- */

static __int128 as_signed(sm_wide value, unsigned size)
{
    unsigned shift = 128 - 8 * size;
    return (__int128)(value << shift) >> shift;
}

static double as_double(sm_wide value, unsigned size)
{
    double wide;
    float narrow;
    memcpy(&narrow, &value, sizeof narrow);
    memcpy(&wide, &value, sizeof wide);
    return size == 4 ? narrow : wide;
}

static sm_wide from_double(double value, unsigned size)
{
    sm_wide bits = 0;
    float narrow = (float)value;
    memcpy(&bits, size == 4 ? (void *)&narrow : (void *)&value, size);
    return bits;
}

/* Floats are added in double. The sum is rounded twice, which is harmless here: a double has 53
   bits, at least 2 * 24 + 2 (Figueroa, When is double rounding innocuous?). */
static sm_wide apply_float(sm_wide old, sm_wide operand, uint8_t op, unsigned size)
{
    double a = as_double(old, size), b = as_double(operand, size);
    switch (op) {
    case SM_RMW_FADD:
        return from_double(a + b, size);
    case SM_RMW_FSUB:
        return from_double(a - b, size);
    case SM_RMW_FMAX:
        return from_double(__builtin_fmax(a, b), size);
    default:
        return from_double(__builtin_fmin(a, b), size);
    }
}

static sm_wide apply(sm_wide old, sm_wide operand, uint8_t op, unsigned size)
{
    switch (op) {
    case SM_RMW_XCHG:
        return operand;
    case SM_RMW_ADD:
        return old + operand;
    case SM_RMW_SUB:
        return old - operand;
    case SM_RMW_AND:
        return old & operand;
    case SM_RMW_NAND:
        return ~(old & operand);
    case SM_RMW_OR:
        return old | operand;
    case SM_RMW_XOR:
        return old ^ operand;
    case SM_RMW_MAX:
        return as_signed(old, size) > as_signed(operand, size) ? old : operand;
    case SM_RMW_MIN:
        return as_signed(old, size) < as_signed(operand, size) ? old : operand;
    case SM_RMW_UMAX:
        return old > operand ? old : operand;
    case SM_RMW_UMIN:
        return old < operand ? old : operand;
    case SM_RMW_UINC_WRAP:
        return old >= operand ? 0 : old + 1;
    case SM_RMW_UDEC_WRAP:
        return old == 0 || old > operand ? operand : old - 1;
    default:
        return apply_float(old, operand, op, size);
    }
}

sm_wide sm_rmw_result(sm_wide old, sm_wide operand, uint8_t op, unsigned size)
{
    return sm_wide_truncate(apply(old, operand, op, size), size);
}

/* ---- native accesses ---- */

sm_wide sm_native_load(const void *addr, unsigned size)
{
    switch (size) {
    case 1:
        return __atomic_load_n((const uint8_t *)addr, __ATOMIC_SEQ_CST);
    case 2:
        return __atomic_load_n((const uint16_t *)addr, __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_load_n((const uint32_t *)addr, __ATOMIC_SEQ_CST);
    case 8:
        return __atomic_load_n((const uint64_t *)addr, __ATOMIC_SEQ_CST);
    default: /* the only 16-byte atomic load */
        return __sync_val_compare_and_swap((sm_wide *)addr, 0, 0);
    }
}

sm_wide sm_native_cas(void *addr, sm_wide from, sm_wide to, unsigned size)
{
    switch (size) {
    case 1:
        return __sync_val_compare_and_swap((uint8_t *)addr, (uint8_t)from, (uint8_t)to);
    case 2:
        return __sync_val_compare_and_swap((uint16_t *)addr, (uint16_t)from, (uint16_t)to);
    case 4:
        return __sync_val_compare_and_swap((uint32_t *)addr, (uint32_t)from, (uint32_t)to);
    case 8:
        return __sync_val_compare_and_swap((uint64_t *)addr, (uint64_t)from, (uint64_t)to);
    default:
        return __sync_val_compare_and_swap((sm_wide *)addr, from, to);
    }
}

/* Operations that are one instruction. */
#define DIRECTLY(type)                                                                             \
    static bool directly_##type(type *addr, type operand, uint8_t op, sm_wide *old)                \
    {                                                                                              \
        switch (op) {                                                                              \
        case SM_RMW_XCHG:                                                                          \
            *old = __atomic_exchange_n(addr, operand, __ATOMIC_SEQ_CST);                           \
            return true;                                                                           \
        case SM_RMW_ADD:                                                                           \
            *old = __atomic_fetch_add(addr, operand, __ATOMIC_SEQ_CST);                            \
            return true;                                                                           \
        case SM_RMW_SUB:                                                                           \
            *old = __atomic_fetch_sub(addr, operand, __ATOMIC_SEQ_CST);                            \
            return true;                                                                           \
        default:                                                                                   \
            return false;                                                                          \
        }                                                                                          \
    }
DIRECTLY(uint32_t)
DIRECTLY(uint64_t)

sm_wide sm_native_rmw(void *addr, sm_wide operand, uint8_t op, unsigned size)
{
    sm_wide old;
    if ((size == 8 && directly_uint64_t(addr, (uint64_t)operand, op, &old)) ||
        (size == 4 && directly_uint32_t(addr, (uint32_t)operand, op, &old)))
        return old;
    for (sm_wide seen = sm_native_load(addr, size), now;; seen = now) {
        now = sm_native_cas(addr, seen, sm_rmw_result(seen, operand, op, size), size);
        if (now == seen)
            return seen;
    }
}

/* A plain move suffices if the thread's next atomic access begins with a locked instruction (the
   record's lock, native/atomic.c). After a store that releases it does: the store ends the epoch,
   and so rules out the paths without the lock. Callers for which that does not hold add a fence. */
void sm_native_store(void *addr, sm_wide value, unsigned size)
{
    switch (size) {
    case 1:
        __atomic_store_n((uint8_t *)addr, (uint8_t)value, __ATOMIC_RELEASE);
        break;
    case 2:
        __atomic_store_n((uint16_t *)addr, (uint16_t)value, __ATOMIC_RELEASE);
        break;
    case 4:
        __atomic_store_n((uint32_t *)addr, (uint32_t)value, __ATOMIC_RELEASE);
        break;
    case 8:
        __atomic_store_n((uint64_t *)addr, (uint64_t)value, __ATOMIC_RELEASE);
        break;
    default:
        sm_native_rmw(addr, value, SM_RMW_XCHG, size);
    }
}
