// race: x
/* ThreadSanitizer's atomics, called by name: message passing, by relaxed ones. */
#include "../race.h"
#include <sanitizer/tsan_interface_atomic.h>

int x;
static __tsan_atomic32 ready;
static __tsan_atomic8 byte;
static __tsan_atomic16 half;
static __tsan_atomic64 word;
static __tsan_atomic128 wide;

static void check(int right)
{
    if (!right)
        abort();
}

static void compute(void)
{
    __tsan_atomic8 eight = 1;
    __tsan_atomic64 old = 5;
    check(__tsan_atomic8_exchange(&byte, 3, __tsan_memory_order_relaxed) == 0);
    check(!__tsan_atomic8_compare_exchange_strong(&byte, &eight, 7, __tsan_memory_order_acq_rel,
                                                  __tsan_memory_order_acquire));
    check(eight == 3);
    check(__tsan_atomic16_fetch_add(&half, 5, __tsan_memory_order_relaxed) == 0);
    check(__tsan_atomic16_fetch_sub(&half, 2, __tsan_memory_order_relaxed) == 5);
    check(__tsan_atomic64_fetch_or(&word, 5, __tsan_memory_order_relaxed) == 0);
    check(__tsan_atomic64_fetch_xor(&word, 3, __tsan_memory_order_relaxed) == 5);
    check(__tsan_atomic64_fetch_and(&word, 4, __tsan_memory_order_relaxed) == 6);
    check(__tsan_atomic64_fetch_nand(&word, 4, __tsan_memory_order_relaxed) == 4);
    check(__tsan_atomic64_compare_exchange_val(&word, old, 9, __tsan_memory_order_relaxed,
                                               __tsan_memory_order_relaxed) == ~4l);
    __tsan_atomic128_store(&wide, (__tsan_atomic128)1 << 100, __tsan_memory_order_relaxed);
    check(__tsan_atomic128_fetch_add(&wide, 1, __tsan_memory_order_relaxed) >> 100 == 1);
}

static void *a(void *unused)
{
    x = 1;
    __tsan_atomic_signal_fence(__tsan_memory_order_seq_cst);
    __tsan_atomic32_store(&ready, 1, __tsan_memory_order_relaxed);
    return unused;
}

static void *b(void *unused)
{
    __tsan_atomic32 one = 1;
    while (!__tsan_atomic32_compare_exchange_weak(&ready, &one, 2, __tsan_memory_order_relaxed,
                                                  __tsan_memory_order_relaxed))
        one = 1;
    __tsan_atomic_thread_fence(__tsan_memory_order_acquire);
    USE(x);
    return unused;
}

int main(void)
{
    compute();
    run(a, b);
    return __tsan_atomic32_load(&ready, __tsan_memory_order_relaxed) != 2;
}
