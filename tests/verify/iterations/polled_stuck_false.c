// violation: livelock
// models: sc tso pso c11
// The same, but nobody sets the flag.
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
    value = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
