/* Atomics of every size, order and operation, from two threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    long a, b;
} Pair;
typedef struct {
    int a, b, c;
} Triple;
typedef struct {
    char text[24];
} Text;

static _Atomic signed char a1;
static _Atomic unsigned short a2;
static _Atomic int a4;
static _Atomic long a8;
static _Atomic __int128 a16;
static _Atomic float af;
static _Atomic double ad;
static _Atomic long double ald;
static _Atomic(int *) ap;
static _Atomic Pair pair;
static _Atomic Triple triple;
static _Atomic Text text;
static atomic_bool flag;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static int array[4], unaligned_sum;
static long counter;
static struct __attribute__((packed)) {
    char pad;
    int value;
} packed;

static void operations(void)
{
    a1 = -5, a2 = 65535, a4 = 7, a8 = -1;
    printf("%d %d %d\n", atomic_fetch_add(&a1, 1), atomic_fetch_sub(&a1, 2),
           atomic_exchange(&a1, 100));
    printf("%d %d\n", atomic_fetch_add_explicit(&a2, 3, memory_order_relaxed), ++a2);
    printf("%d %d %d\n", atomic_fetch_or(&a4, 8), atomic_fetch_and(&a4, 12),
           atomic_fetch_xor(&a4, 5));
    printf("%d %d\n", __atomic_fetch_nand(&array[0], 3, __ATOMIC_ACQ_REL), array[0]);
    printf("%d %d\n", __atomic_fetch_max(&array[1], 3, __ATOMIC_RELEASE),
           __atomic_fetch_min(&array[1], -3, __ATOMIC_ACQUIRE));
    printf("%d %d\n", __sync_val_compare_and_swap(&array[2], 0, 5),
           __sync_fetch_and_add(&array[2], 2));
    printf("%d %d\n", __sync_bool_compare_and_swap(&array[2], 0, 5),
           __sync_lock_test_and_set(&array[3], 1));
    __sync_lock_release(&array[3]);
    __sync_synchronize();
    a8 += 5, a8 *= 3;
    printf("%ld\n", a8);
}

static void exchanges(void)
{
    int expected = 3;
    a4 = 4;
    int failed = atomic_compare_exchange_strong(&a4, &expected, 9);
    printf("%d %d\n", failed, expected);
    while (!atomic_compare_exchange_weak_explicit(&a4, &expected, 9, memory_order_acq_rel,
                                                  memory_order_relaxed))
        ;
    printf("%d\n", a4);
    ap = array;
    int *next = array;
    printf("%d %d\n", atomic_compare_exchange_strong(&ap, &next, array + 2),
           (int)(atomic_fetch_add(&ap, 1) - array));
    printf("%d\n", (int)(ap - array));
}

static void floats(void)
{
    af = 1.5f, ad = 2.5, ald = 3.5L;
    af += 1, ad -= 1, ald *= 2;
    printf("%g %g %Lg\n", (double)af, (double)ad, (long double)ald);
    double old = __atomic_fetch_add((double *)&ad, 0.25, __ATOMIC_SEQ_CST);
    printf("%g %g\n", old, (double)ad);
}

static void wides(void)
{
    a16 = ((__int128)1 << 100) + 5;
    a16 += 7;
    __int128 expected = 0;
    int failed = atomic_compare_exchange_strong(&a16, &expected, 1);
    int made = atomic_compare_exchange_strong(&a16, &expected, (__int128)9 << 64);
    printf("%d %d %llx %llx\n", failed, made, (unsigned long long)(a16 >> 64),
           (unsigned long long)a16);
    printf("%llx\n", (unsigned long long)(atomic_exchange(&a16, 3) >> 64));
    pair = (Pair){1, 2};
    Pair p = pair, q = {1, 2};
    printf("%ld %ld %d\n", p.a, p.b, atomic_compare_exchange_strong(&pair, &q, ((Pair){3, 4})));
    p = atomic_exchange(&pair, ((Pair){5, 6}));
    triple = (Triple){1, 2, 3};
    Triple t = triple;
    printf("%ld %d %d\n", p.b, t.b, t.c);
    Text x = {"hello"}, y = {"hello"};
    text = x;
    int same = atomic_compare_exchange_strong(&text, &y, ((Text){"world"}));
    x = atomic_exchange(&text, ((Text){"again"}));
    y = text;
    printf("%d %s %s\n", same, x.text, y.text);
    __atomic_store_n(&packed.value, 5, __ATOMIC_SEQ_CST);
    unaligned_sum = __atomic_load_n(&packed.value, __ATOMIC_RELAXED);
    printf("%d\n", unaligned_sum);
}

static void *worker(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        while (atomic_flag_test_and_set_explicit(&spin, memory_order_acquire))
            __asm__ volatile("pause" ::: "memory");
        counter++;
        atomic_flag_clear_explicit(&spin, memory_order_release);
        a8++;
    }
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    atomic_thread_fence(memory_order_acquire);
    return unused;
}

static void threads(void)
{
    pthread_t t[2];
    a8 = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("%ld %ld\n", counter, a8);
}

int main(void)
{
    operations();
    exchanges();
    floats();
    wides();
    threads();
    return 0;
}
