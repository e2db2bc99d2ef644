/*
 * A reader announces itself too weakly, and a writer changes the block under it, which it sees.
 * With -DFREES it frees the block, too. hb and oota do not explore that order, and what they take
 * for an execution reads from before the free: it is none.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int reading;

static void *read_it(void *arg)
{
    atomic_store_explicit(&reading, 1, memory_order_relaxed);
    int *block = atomic_load(&current), a = block[0], b = block[1];
    atomic_store_explicit(&reading, 0, memory_order_relaxed);
    if (a != b)
        abort();
    return arg;
}

static void *replace_it(void *arg)
{
    int *old = atomic_exchange(&current, arg);
    while (atomic_load_explicit(&reading, memory_order_relaxed))
        continue;
    old[0] = -1;
    old[1] = -1;
#ifdef FREES
    free(old);
#endif
    return NULL;
}

int main(void)
{
    static int other[2];
    int *block = malloc(2 * sizeof *block);
    block[0] = block[1] = 1;
    atomic_store(&current, block);
    pthread_t reader, writer;
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_create(&writer, NULL, replace_it, other);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
