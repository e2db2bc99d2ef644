// Eight increments of one counter, in any order. The last thread if its increment is the first, and
// the first thread if its increment is the last, accesses one more variable, which is therefore
// found to be shared late in the search.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 8
#endif
enum { N = THREADS };
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
