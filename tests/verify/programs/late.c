// Eight increments of one counter, in any order; the last thread to come first, and the first to
// come last, touch one more variable: that it is shared shows late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 8 };
static atomic_int counter, late;

static void *work(void *arg)
{
    long number = (long)arg;
    int mine = atomic_fetch_add(&counter, 1);
    if (mine == N - 1 - number && (number == 0 || number == N - 1))
        atomic_fetch_add(&late, 1);
#ifdef WRONG
    assert(number != N - 1 || mine != 0 || atomic_load(&counter) < N);
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) == N);
    return 0;
}
