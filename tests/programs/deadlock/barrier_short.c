// expect: deadlock
// native: no
// A barrier for three that only two come to.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *arrives(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, arrives, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
