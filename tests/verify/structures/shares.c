/* Linux's old read-write lock: a reader takes one, a writer takes all; who finds too little left
   gives it back, waits and tries again. Weakened: a writer's unlocking is no release. */
#include "rw_lock.h"

enum { ALL = 0x100000 };

static atomic_int free_shares = ALL;

static void read_lock(void)
{
    while (atomic_fetch_sub_explicit(&free_shares, 1, memory_order_acquire) <= 0) {
        atomic_fetch_add_explicit(&free_shares, 1, memory_order_relaxed);
        while (atomic_load_explicit(&free_shares, memory_order_relaxed) <= 0)
            continue;
    }
}

static void read_unlock(void)
{
    atomic_fetch_add_explicit(&free_shares, 1, memory_order_release);
}

static void write_lock(void)
{
    while (atomic_fetch_sub_explicit(&free_shares, ALL, memory_order_acquire) != ALL) {
        atomic_fetch_add_explicit(&free_shares, ALL, memory_order_relaxed);
        while (atomic_load_explicit(&free_shares, memory_order_relaxed) != ALL)
            continue;
    }
}

static void write_unlock(void)
{
    atomic_fetch_add_explicit(&free_shares, ALL, ORDER(memory_order_release));
}
