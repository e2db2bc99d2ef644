/* Red-black successive over-relaxation on two threads. */
#include <pthread.h>
#include <stdio.h>

enum { N = 1000, ROUNDS = 400 };
static double grid[N][N];
static pthread_barrier_t barrier;

static void relax(int first, int last, int colour)
{
    for (int i = first; i < last; i++)
        for (int j = 1 + (i + colour) % 2; j < N - 1; j += 2)
            grid[i][j] += 0.3 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1] -
                                 4 * grid[i][j]);
}

static void *work(void *arg)
{
    int first = arg ? N / 2 : 1, last = arg ? N - 1 : N / 2;

    for (int round = 0; round < ROUNDS; round++)
        for (int colour = 0; colour < 2; colour++) {
            relax(first, last, colour);
            pthread_barrier_wait(&barrier);
        }
    return NULL;
}

int main(void)
{
    pthread_t other;
    double sum = 0;

    for (int i = 0; i < N; i++)
        grid[0][i] = grid[i][0] = i;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, work, &barrier);
    work(NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += grid[i][j];
    printf("%.6f\n", sum);
    return 0;
}
