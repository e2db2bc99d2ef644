// The serial thread of a barrier may destroy and free it while others are about to leave.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
    pthread_barrier_t *barrier = arg;
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        assert(pthread_barrier_destroy(barrier) == 0);
        memset(barrier, 0xff, sizeof(*barrier));
        free(barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_barrier_t *barrier = malloc(sizeof(*barrier));
    pthread_barrier_init(barrier, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, barrier);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
