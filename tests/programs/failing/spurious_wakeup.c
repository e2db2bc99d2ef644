// expect: sometimes assert
// native: no
// A wait for a condition may end for no reason: who does not look again goes on too early.
// sync/cond_queue.c looks again.
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 20 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int given, taken;

static void *give(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (given > taken)
            pthread_cond_wait(&changed, &mutex);
        given++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        if (given == taken)
            pthread_cond_wait(&changed, &mutex);
        assert(given == taken + 1);
        taken++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return pthread_join(thread, NULL);
}
