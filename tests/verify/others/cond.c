// A bounded buffer of one place with condition variables; what was put in comes out once.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int full, item, sum;

static void *produce(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&emptied, &m);
        item = i;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&filled, &m);
        sum += item;
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    assert(sum == 3);
    return 0;
}
