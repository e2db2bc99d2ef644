/*
 * A thread compares what it reads with 0, thirty times: few of the 2^30 combinations of values make
 * a difference. With -DCOUNTED the thread counts those that were 0, and the last count fails.
 */
#include <assert.h>
#include <pthread.h>

static int x, y, seen;
static _Thread_local int hidden;

static void *store(void *unused)
{
    x = 1;
    y = 1;
    return unused;
}

static void *look(void *unused)
{
#ifdef COUNTED
    int n = 0;
    for (int i = 0; i < 4; i++)
        n += x == 0;
    seen = n;
#elif defined(HIDDEN)
    if (x)
        hidden = 1;
    seen = y;
    seen += hidden;
#else
    for (int i = 0; i < 30; i++)
        if (x > 1)
            seen = 4;
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, store, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
#ifdef HIDDEN
    assert(seen != 2);
#endif
    assert(seen < 4);
    return 0;
}
