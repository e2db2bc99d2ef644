// no race
/* How a home-made lock works orders nothing: only that it is taken and given up does. */
#include "../race.h"
#include <sanitizer/tsan_interface.h>
#include <stdatomic.h>

int x;
static atomic_int lock;

static void take(unsigned flags)
{
    __tsan_mutex_pre_lock(&lock, flags);
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
        sched_yield();
    __tsan_mutex_post_lock(&lock, flags, 0);
}

static void give_up(unsigned flags)
{
    __tsan_mutex_pre_unlock(&lock, flags);
    atomic_store_explicit(&lock, 0, memory_order_release);
    __tsan_mutex_post_unlock(&lock, flags);
}

/* For readers. */
static void *a(void *unused)
{
    unsigned flags = 0;
    take(flags);
    x++;
    give_up(flags);
    return unused;
}

int main(void)
{
    run(a, a);
    return 0;
}
