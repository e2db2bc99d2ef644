/* Inline assembly, thread-local storage, and a jump out of an asm statement. */
#include <pthread.h>
#include <stdio.h>

static int shared, order[2];
static __thread int mine;
__thread int everyones[3];
static __thread int escaping;

static int *leak(void)
{
    return &escaping;
}

static int add(int a, int b)
{
#if defined(__x86_64__)
    __asm__("addl %1, %0" : "+r"(a) : "r"(b));
#else
    a += b;
#endif
    return a;
}

static int exchange(int *p, int value)
{
#if defined(__x86_64__)
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*p) : : "memory");
#else
    value = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);
#endif
    return value;
}

static int jumps(int n)
{
#if defined(__x86_64__)
    __asm__ goto("testl %0, %0; jz %l1" : : "r"(n) : "memory" : zero);
#else
    if (!n)
        goto zero;
#endif
    shared++;
    return 1;
zero:
    return order[0] - order[0];
}

static void *thread(void *result)
{
    mine += 3;
    everyones[1] += 4;
    *leak() += 5;
    *(int *)result = mine + everyones[1] + escaping;
    return NULL;
}

int main(void)
{
    int result;
    pthread_t t;
    mine = 1, everyones[1] = 10;
    pthread_create(&t, NULL, thread, &result);
    pthread_join(t, NULL);
    order[0] = 1;
    __asm__ volatile("" ::: "memory");
    order[1] = 2;
    __sync_synchronize();
#if defined(__x86_64__)
    __asm__ volatile("mfence" ::: "memory");
    __builtin_ia32_mfence();
    __builtin_ia32_sfence();
    __builtin_ia32_lfence();
#endif
    printf("%d %d %d %d\n", result, mine, everyones[1], escaping);
    printf("%d %d %d %d %d\n", add(2, 3), exchange(&shared, 9), shared, jumps(0), jumps(1));
    return 0;
}
