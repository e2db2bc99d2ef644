#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void *waiter(void *p)
{
    pthread_mutex_lock(&m);
    int r = ready;
    pthread_mutex_unlock(&m);
    if (!r) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&ready_cond, &m);
        pthread_mutex_unlock(&m);
    }
    return p;
}
static void *notifier(void *p)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&ready_cond);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, waiter, 0);
    pthread_create(&t[1], 0, notifier, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
