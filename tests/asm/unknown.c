/*
 * A lock that is held by assembly which is not understood (a rotation is a write, too). The
 * counter under it is never stale and never raced for. With -DTWIN the lock is left out.
 */
#include <assert.h>
#include <pthread.h>

static unsigned char flags[2] __attribute__((aligned(8)));
static int counter;

#ifdef TWIN
#define ORDER(p)
#else
#define ORDER(p) __asm__ volatile("lock; negb %0" : "+m"(p) : : "memory", "cc")
#endif

static void *one(void *arg)
{
    counter = 1;
    ORDER(flags[0]);
    ORDER(flags[0]);
    return arg;
}

static void *two(void *arg)
{
    ORDER(flags[1]);
    ORDER(flags[1]);
    int seen = counter, again = counter;
    assert(seen <= again);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
