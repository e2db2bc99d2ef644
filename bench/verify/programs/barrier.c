/* N threads, six rounds of a barrier: N^6 ways to say who is the serial thread, and they look. */
#include <pthread.h>

#ifndef N
#define N 5
#endif
static pthread_barrier_t barrier;

static void *wait_often(void *unused)
{
    int serial = 0;
    for (int i = 0; i < 6; i++)
        serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    return serial ? NULL : unused;
}

int main(void)
{
    pthread_t threads[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, wait_often, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
