// executions: 10
// hb: 8
// Two waiters, one broadcast. Orders of the sections: 2 with the broadcast first, 4 with one
// waiter before it, 4 with both.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, passed;

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    passed++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_for_it, NULL);
    pthread_create(&two, NULL, wait_for_it, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(passed == 2);
    return 0;
}
