/* Red-black successive over-relaxation: a stencil, rows in bands, a barrier each half step. */
#include "bench.h"

static int n, steps, n_threads;
static double **grid;
static pthread_barrier_t barrier;

static void relax_row(int row, int colour)
{
    double *above = grid[row - 1], *at = grid[row], *below = grid[row + 1];
    for (int j = 1 + (row + colour) % 2; j < n - 1; j += 2)
        at[j] = at[j] + 1.25 * ((above[j] + below[j] + at[j - 1] + at[j + 1]) / 4 - at[j]);
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    int from = 1 + (n - 2) * id / n_threads, to = 1 + (n - 2) * (id + 1) / n_threads;
    for (int step = 0; step < steps; step++) {
        for (int colour = 0; colour < 2; colour++) {
            for (int row = from; row < to; row++)
                relax_row(row, colour);
            pthread_barrier_wait(&barrier);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 1000);
    steps = argument(argc, argv, 2, 60);
    n_threads = argument(argc, argv, 3, 2);
    uint32_t seed = 1;
    grid = malloc(n * sizeof *grid);
    for (int i = 0; i < n; i++) {
        grid[i] = malloc(n * sizeof **grid);
        for (int j = 0; j < n; j++)
            grid[i][j] = next_random(&seed) % 1000 * 1e-6;
    }
    pthread_barrier_init(&barrier, NULL, n_threads);
    run_threads(n_threads, worker);
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += grid[i][j];
    printf("sor %.9f\n", sum);
    return 0;
}
