// violation: fails the assertion
// The twin of cond.c that looks once: two consumers, and the second finds nothing.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full;

static void *consume(void *arg)
{
    pthread_mutex_lock(&m);
    if (!full)
        pthread_cond_wait(&filled, &m);
    assert(full);
    full = 0;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&two, NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        full = 1;
        pthread_cond_broadcast(&filled);
        pthread_mutex_unlock(&m);
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
