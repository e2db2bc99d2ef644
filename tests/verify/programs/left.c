/* What a thread has read is told to the initial thread, in one of three ways: by its result; by a
   store of code that is not instrumented (KEEP is there a function of another file); or by what
   it prints itself (PRINT). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#ifdef KEEP
void keep(long *to, long value);
#else
static void keep(long *to, long value)
{
    *to = value;
}
#endif

static atomic_int x, y;
static long kept[2];

static void *store_and_load(void *arg)
{
    intptr_t me = (intptr_t)arg;
    atomic_store_explicit(me ? &x : &y, 1, memory_order_relaxed);
    long seen = atomic_load_explicit(me ? &y : &x, memory_order_relaxed);
#ifdef PRINT
    printf("%ld: %ld\n", (long)me, seen);
#endif
    keep(&kept[me], seen);
    return (void *)(seen + 10);
}

int main(void)
{
    pthread_t threads[2];
    void *results[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, store_and_load, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &results[i]);
    printf("%ld %ld, %ld %ld\n", (long)(intptr_t)results[0], (long)(intptr_t)results[1], kept[0],
           kept[1]);
    return 0;
}
