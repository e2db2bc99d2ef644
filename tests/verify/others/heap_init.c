// executions: 24
// models: sc tso pso c11
// A mutex that a thread allocates and initialises, used by another, whose heap is not there yet in
// a worker that gets a part of the exploration.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t *mutex, once = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static volatile int sum, spent;

static void make(void)
{
    pthread_mutex_lock(&once);
    if (!ready) {
        mutex = malloc(sizeof *mutex);
        pthread_mutex_init(mutex, NULL);
        ready = 1;
    }
    pthread_mutex_unlock(&once);
}

static void *work(void *unused)
{
    if (!ready)
        make();
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(mutex);
        for (int k = 0; k < 100; k++)
            spent++;
        sum++;
        pthread_mutex_unlock(mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(sum == 4);
    return 0;
}
