// right: 1
// wrong: 0 1
// A flag under a mutex and a condition; wrong: a look at the flag without them, to save time.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static int ready, data;

static void *produce(void *unused)
{
    pthread_mutex_lock(&mutex);
    data = 1;
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void wait_for_it(void)
{
#ifdef WRONG
    if (ready)
        return;
#endif
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t one;
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&cond, NULL);
    pthread_create(&one, NULL, produce, NULL);
    wait_for_it();
    printf("%d\n", data);
    pthread_join(one, NULL);
    pthread_cond_destroy(&cond);
    pthread_mutex_destroy(&mutex);
    return 0;
}
