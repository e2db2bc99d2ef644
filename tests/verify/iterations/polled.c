// executions: 1
// models: sc tso pso c11
// A flag is polled under a mutex: an iteration that takes the mutex and gives it back has no
// effect.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *wait(void *unused)
{
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    }
    assert(value == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    value = ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
