// expect: deadlock
// native: no
// A thread ends with a mutex that is not robust; nobody gets it any more.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *keeps_it(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, keeps_it, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    return 0;
}
