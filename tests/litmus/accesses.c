#include "accesses.h"

int litmus_load(int *location, enum order order)
{
    switch (order) {
    case PLAIN:
        return *location;
    case VOL:
        return *(volatile int *)location;
    case RLX:
        return __atomic_load_n(location, __ATOMIC_RELAXED);
    case ACQ:
        return __atomic_load_n(location, __ATOMIC_ACQUIRE);
    default:
        return __atomic_load_n(location, __ATOMIC_SEQ_CST);
    }
}

void litmus_store(int *location, int value, enum order order)
{
    switch (order) {
    case PLAIN:
        *location = value;
        break;
    case VOL:
        *(volatile int *)location = value;
        break;
    case RLX:
        __atomic_store_n(location, value, __ATOMIC_RELAXED);
        break;
    case REL:
        __atomic_store_n(location, value, __ATOMIC_RELEASE);
        break;
    default:
        __atomic_store_n(location, value, __ATOMIC_SEQ_CST);
    }
}

int litmus_exchange(int *location, int value, enum order order)
{
    switch (order) {
    case RLX:
        return __atomic_exchange_n(location, value, __ATOMIC_RELAXED);
    case ACQ:
        return __atomic_exchange_n(location, value, __ATOMIC_ACQUIRE);
    case REL:
        return __atomic_exchange_n(location, value, __ATOMIC_RELEASE);
    case AR:
        return __atomic_exchange_n(location, value, __ATOMIC_ACQ_REL);
    default:
        return __atomic_exchange_n(location, value, __ATOMIC_SEQ_CST);
    }
}

int litmus_compare(int *location, int value, enum order order)
{
    int old = 0;
    _Bool done;
    switch (order) {
    case RLX:
        done = __atomic_compare_exchange_n(location, &old, value, 1, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED);
        break;
    case ACQ:
        done = __atomic_compare_exchange_n(location, &old, value, 1, __ATOMIC_ACQUIRE,
                                           __ATOMIC_ACQUIRE);
        break;
    case REL:
        done = __atomic_compare_exchange_n(location, &old, value, 1, __ATOMIC_RELEASE,
                                           __ATOMIC_RELAXED);
        break;
    default:
        done = __atomic_compare_exchange_n(location, &old, value, 1, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
    }
    return old + (done ? 0 : LITMUS_FAILED);
}

void litmus_fence(enum order order)
{
    switch (order) {
    case ACQ:
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        break;
    case REL:
        __atomic_thread_fence(__ATOMIC_RELEASE);
        break;
    case AR:
        __atomic_thread_fence(__ATOMIC_ACQ_REL);
        break;
    default:
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}
