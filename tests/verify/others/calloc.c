// executions: 2
// hb: 1
// What calloc hands out is zero to whoever gets to see it. Under hb it makes no difference to main
// whether it sees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *publish(void *arg)
{
    atomic_store(&published, calloc(4, sizeof(int)));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    int *seen = atomic_load(&published);
    assert(!seen || seen[3] == 0);
    pthread_join(t, NULL);
    free(published);
    return 0;
}
