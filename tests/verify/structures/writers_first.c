/* Read-write lock that prefers writers: a writer announces itself, which keeps new readers out, and
   takes the lock when the last reader has left. With -DTRY readers repeat an attempt that may fail.
   Weakened: a writer's unlocking is no release. */
#include "rw_lock.h"

#include <stdbool.h>

enum { WRITER = 0x1000, ANNOUNCED = 0x10000 };

static atomic_int state; /* readers + WRITER if it is held + ANNOUNCED for each writer that waits */

#ifdef TRY
static bool try_read_lock(void)
{
    int old = atomic_load_explicit(&state, memory_order_relaxed);
    return old < WRITER && atomic_compare_exchange_strong_explicit(
                               &state, &old, old + 1, memory_order_acquire, memory_order_relaxed);
}
#endif

static void read_lock(void)
{
#ifdef TRY
    while (!try_read_lock())
        continue;
#else
    for (;;) {
        int old = atomic_load_explicit(&state, memory_order_relaxed);
        if (old < WRITER && atomic_compare_exchange_strong_explicit(
                                &state, &old, old + 1, memory_order_acquire, memory_order_relaxed))
            return;
    }
#endif
}

static void read_unlock(void)
{
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
}

static void write_lock(void)
{
    atomic_fetch_add_explicit(&state, ANNOUNCED, memory_order_relaxed);
    for (;;) {
        int old = atomic_load_explicit(&state, memory_order_relaxed);
        if (old % ANNOUNCED == 0 &&
            atomic_compare_exchange_strong_explicit(&state, &old, old - ANNOUNCED + WRITER,
                                                    memory_order_acquire, memory_order_relaxed))
            return;
    }
}

static void write_unlock(void)
{
    atomic_fetch_sub_explicit(&state, WRITER, ORDER(memory_order_release));
}
