// executions: 4
// count: 4
// The pass does not know what the predicate does. A thread that comes back to its wait as it was,
// and has only read, need not wake up again: so there is an end.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static int is_ready(void)
{
    return ready;
}
static int (*volatile predicate)(void) = is_ready;

static void *tell(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&mutex);
    while (!predicate())
        pthread_cond_wait(&cond, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
