// violation: assertion
// models: sc tso pso c11
// The same, but an iteration counts itself under the mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, value, polls;

static void *wait(void *unused)
{
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = ready || ++polls == 2;
        pthread_mutex_unlock(&mutex);
    }
    assert(polls < 2);
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
