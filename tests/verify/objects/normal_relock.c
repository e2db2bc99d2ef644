// violation: double-lock
// A normal mutex does not.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *relock(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, relock, NULL);
    pthread_join(one, NULL);
    return 0;
}
