/* The reader must be preempted after its first read, and the writer between its last two writes:
   two preemptions. With -DWAITS it waits for the writer in a spin loop in place of the first one,
   which is no preemption. With -DRIGHT nothing is wrong. With -DLONG each thread has so many events
   more. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LONG
#define LONG 0
#endif

static atomic_int x, y, other[2];

static void go_on(atomic_int *own)
{
    for (int i = 0; i < LONG; i++) {
        atomic_fetch_add(own, 1);
        (void)atomic_load(&other[own == other]);
    }
}

static void *write_both(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    go_on(&other[0]);
    return unused;
}

static void *read_both(void *unused)
{
#ifdef WAITS
    int first = 0;
    while (!atomic_load(&y))
        ;
    int then = 1;
#else
    int first = atomic_load(&x), then = atomic_load(&y);
#endif
    int last = atomic_load(&x);
    go_on(&other[1]);
#ifndef RIGHT
    assert(first != 0 || then != 1 || last != 1);
#else
    assert(first <= last && then <= last);
#endif
    return unused;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_both, NULL);
    pthread_create(&reader, NULL, read_both, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
