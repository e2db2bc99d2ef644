// expect: sometimes lost-wakeup
// native: no
// A signal that comes before the wait is lost: nothing remembers it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *signals(void *arg)
{
    pthread_cond_signal(&cond);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, signals, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
