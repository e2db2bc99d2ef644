// violation: deadlock
// One thread too few.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
