// Rounds of a barrier: nobody enters a round before all have left the one before; one is serial.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, ROUNDS = 4 };
static pthread_barrier_t barrier;
static atomic_int serial;
static int board[THREADS];

static void *work(void *arg)
{
    long me = (long)arg;
    for (int round = 1; round <= ROUNDS; round++) {
        board[me] = round;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial++;
        for (int i = 0; i < THREADS; i++)
            assert(board[i] == round);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(serial == ROUNDS && pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
