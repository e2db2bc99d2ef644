// executions: 2
// An errorcheck mutex knows who holds it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int x;

static void *increment(void *unused)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    x++;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
