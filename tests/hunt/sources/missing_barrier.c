/* Two threads compute each other's cells in turns, from one array into the other; one of them swaps
 * the arrays. Without the second barrier of a turn the other may go on before the swap: an order of
 * several accesses and the barrier together, which lies about one variable do not show. -DBOTH:
 * with it. */
#include <pthread.h>

enum { THREADS = 2, TURNS = 2 };

static pthread_barrier_t barrier;
static int cells[2][THREADS] = {{1, 1}};
static int *from = cells[0], *to = cells[1];
static int turns;

static void *work(void *arg)
{
    int me = *(int *)arg;
    for (int turn = 0; turn < TURNS; turn++) {
        to[me] = from[0] + from[1];
        pthread_barrier_wait(&barrier);
        if (me == 0) {
            int *full = to;
            to = from;
            from = full;
            turns++;
        }
#ifdef BOTH
        pthread_barrier_wait(&barrier);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return from[0] != 4 || from[1] != 4;
}
