// executions: 2
// Only the outermost lock and unlock of a recursive mutex order anything.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int x;

static void *increment(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 4);
    return 0;
}
