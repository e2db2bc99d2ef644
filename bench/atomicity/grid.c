/* Red-black relaxation of a grid, threads by rows with a barrier: memory and nothing else. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 66, THREADS = 2 };

static double grid[SIDE][SIDE];
static pthread_barrier_t barrier;
static long rounds;

static void relax(long first, long last, long color)
{
    for (long i = first; i < last; i++)
        for (long k = 1 + (i + color) % 2; k < SIDE - 1; k += 2)
            grid[i][k] = 0.25 * (grid[i - 1][k] + grid[i + 1][k] + grid[i][k - 1] + grid[i][k + 1]);
}

static void *work(void *arg)
{
    long me = (long)arg, rows = (SIDE - 2) / THREADS;
    for (long i = 0; i < 2 * rounds; i++) {
        relax(1 + me * rows, 1 + (me + 1) * rows, i % 2);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    rounds = argc > 1 ? atol(argv[1]) : 10;
    for (long i = 0; i < SIDE; i++)
        grid[0][i] = 1;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%.6f\n", grid[SIDE / 2][SIDE / 2]);
    return 0;
}
