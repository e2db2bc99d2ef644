/* What a barrier returns: looked at once, ignored twice. */
#include <pthread.h>

static pthread_barrier_t barrier;

// hooks: sm_ignore_result 2
int main(void)
{
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    (void)pthread_barrier_wait(&barrier);
    return pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD;
}
