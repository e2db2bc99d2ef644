/*
 * Message passing and Dekker's core, built on inline assembly. litmus.sh compiles it once for
 * each line of its table: SHAPE is MP or SB, PUBLISH and LOOK the statements under test.
 */
#include <assert.h>
#include <pthread.h>

static int x, y, first, second;

#define MOV_STORE(p, v) __asm__ volatile("movl %1, %0" : "=m"(p) : "ir"(v) : "memory")
#define MOV_LOAD(p, r) __asm__ volatile("movl %1, %0" : "=r"(r) : "m"(p) : "memory")
#define REGISTER_STORE(p, v) __asm__ volatile("movl %1, (%0)" : : "r"(&(p)), "r"(v) : "memory")
#define XCHG(p, v)                                                                                 \
    do {                                                                                           \
        int old = (v);                                                                             \
        __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(p) : : "memory");                        \
    } while (0)
#define LOCK_ADD(p, v) __asm__ volatile("lock; addl %1, %0" : "+m"(p) : "ir"(v) : "memory", "cc")
#define LOCK_BTS(p, v) __asm__ volatile("lock btsl $0, %0" : "+m"(p) : : "memory", "cc")
#define XADD_LOAD(p, r)                                                                            \
    do {                                                                                           \
        int got = 0;                                                                               \
        __asm__ volatile("lock; xaddl %0, %1" : "+r"(got), "+m"(p) : : "memory", "cc");            \
        (r) = got;                                                                                 \
    } while (0)
#define CMPXCHG(p, v)                                                                              \
    do {                                                                                           \
        int seen = 0;                                                                              \
        __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(seen), "+m"(p) : "r"(v) : "memory", "cc"); \
    } while (0)
#define MOV_MFENCE(p, v)                                                                           \
    do {                                                                                           \
        MOV_STORE(p, v);                                                                           \
        __asm__ volatile("mfence" ::: "memory");                                                   \
    } while (0)
#define MOV_STACK(p, v)                                                                            \
    do {                                                                                           \
        MOV_STORE(p, v);                                                                           \
        __asm__ volatile("lock; addl $0, -4(%%rsp)" ::: "memory", "cc");                           \
    } while (0)
#define MOV_BARRIER(p, v)                                                                          \
    do {                                                                                           \
        MOV_STORE(p, v);                                                                           \
        __asm__ volatile("" ::: "memory");                                                         \
    } while (0)
#define PLAIN_STORE(p, v) ((p) = (v))
#define PLAIN_LOAD(p, r) ((r) = (p))

#ifdef MP
static void *one(void *arg)
{
    x = 1;
    PUBLISH(y, 1);
    return arg;
}

static void *two(void *arg)
{
    int seen;
    LOOK(y, seen);
    if (seen)
        assert(x == 1);
    return arg;
}
#else
static void *one(void *arg)
{
    PUBLISH(x, 1);
    LOOK(y, first);
    return arg;
}

static void *two(void *arg)
{
    PUBLISH(y, 1);
    LOOK(x, second);
    return arg;
}
#endif

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifndef MP
    assert(first || second);
#endif
    return 0;
}
