#include "accesses.h"

/* Far apart: they are different variables, not one object. */
static _Alignas(64) int x;
static _Alignas(64) int y;

#define ACCESSES(v)                                                                                \
    static int load_##v(enum order order)                                                          \
    {                                                                                              \
        switch (order) {                                                                           \
        case PLAIN:                                                                                \
            return v;                                                                              \
        case VOL:                                                                                  \
            return *(volatile int *)&v;                                                            \
        case RLX:                                                                                  \
            return __atomic_load_n(&v, __ATOMIC_RELAXED);                                          \
        case ACQ:                                                                                  \
            return __atomic_load_n(&v, __ATOMIC_ACQUIRE);                                          \
        default:                                                                                   \
            return __atomic_load_n(&v, __ATOMIC_SEQ_CST);                                          \
        }                                                                                          \
    }                                                                                              \
    static void store_##v(int value, enum order order)                                             \
    {                                                                                              \
        switch (order) {                                                                           \
        case PLAIN:                                                                                \
            v = value;                                                                             \
            break;                                                                                 \
        case VOL:                                                                                  \
            *(volatile int *)&v = value;                                                           \
            break;                                                                                 \
        case RLX:                                                                                  \
            __atomic_store_n(&v, value, __ATOMIC_RELAXED);                                         \
            break;                                                                                 \
        case REL:                                                                                  \
            __atomic_store_n(&v, value, __ATOMIC_RELEASE);                                         \
            break;                                                                                 \
        default:                                                                                   \
            __atomic_store_n(&v, value, __ATOMIC_SEQ_CST);                                         \
        }                                                                                          \
    }                                                                                              \
    static int exchange_##v(int value, enum order order)                                           \
    {                                                                                              \
        switch (order) {                                                                           \
        case RLX:                                                                                  \
            return __atomic_exchange_n(&v, value, __ATOMIC_RELAXED);                               \
        case ACQ:                                                                                  \
            return __atomic_exchange_n(&v, value, __ATOMIC_ACQUIRE);                               \
        case REL:                                                                                  \
            return __atomic_exchange_n(&v, value, __ATOMIC_RELEASE);                               \
        case AR:                                                                                   \
            return __atomic_exchange_n(&v, value, __ATOMIC_ACQ_REL);                               \
        default:                                                                                   \
            return __atomic_exchange_n(&v, value, __ATOMIC_SEQ_CST);                               \
        }                                                                                          \
    }
ACCESSES(x)
ACCESSES(y)

int agree_load(int location, enum order order)
{
    return location ? load_y(order) : load_x(order);
}

void agree_store(int location, int value, enum order order)
{
    if (location)
        store_y(value, order);
    else
        store_x(value, order);
}

int agree_exchange(int location, int value, enum order order)
{
    return location ? exchange_y(value, order) : exchange_x(value, order);
}
