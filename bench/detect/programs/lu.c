/* Blocked LU decomposition without pivoting: blocks dealt to threads, three barriers a step. */
#include "bench.h"

#define B 16

static int n, blocks, n_threads;
static double *matrix;
static pthread_barrier_t barrier;

static double *block(int i, int j)
{
    return matrix + ((size_t)i * blocks + j) * B * B;
}

static int is_mine(int i, int j, int id)
{
    return (i + j) % n_threads == id;
}

static void factor(double *a)
{
    for (int k = 0; k < B; k++)
        for (int i = k + 1; i < B; i++) {
            a[i * B + k] /= a[k * B + k];
            for (int j = k + 1; j < B; j++)
                a[i * B + j] -= a[i * B + k] * a[k * B + j];
        }
}

static void solve_right(double *a, const double *pivot)
{
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++) {
            a[i * B + k] /= pivot[k * B + k];
            for (int j = k + 1; j < B; j++)
                a[i * B + j] -= a[i * B + k] * pivot[k * B + j];
        }
}

static void solve_below(double *a, const double *pivot)
{
    for (int k = 0; k < B; k++)
        for (int i = k + 1; i < B; i++)
            for (int j = 0; j < B; j++)
                a[i * B + j] -= pivot[i * B + k] * a[k * B + j];
}

static void update(double *a, const double *left, const double *up)
{
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++)
            for (int j = 0; j < B; j++)
                a[i * B + j] -= left[i * B + k] * up[k * B + j];
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    for (int k = 0; k < blocks; k++) {
        if (is_mine(k, k, id))
            factor(block(k, k));
        pthread_barrier_wait(&barrier);
        for (int i = k + 1; i < blocks; i++) {
            if (is_mine(i, k, id))
                solve_right(block(i, k), block(k, k));
            if (is_mine(k, i, id))
                solve_below(block(k, i), block(k, k));
        }
        pthread_barrier_wait(&barrier);
        for (int i = k + 1; i < blocks; i++)
            for (int j = k + 1; j < blocks; j++)
                if (is_mine(i, j, id))
                    update(block(i, j), block(i, k), block(k, j));
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 768);
    n_threads = argument(argc, argv, 2, 2);
    blocks = n / B;
    uint32_t seed = 7;
    matrix = malloc((size_t)n * n * sizeof *matrix);
    for (size_t i = 0; i < (size_t)n * n; i++)
        matrix[i] = next_random(&seed) % 1000 * 1e-3;
    for (int i = 0; i < blocks; i++)
        for (int j = 0; j < B; j++)
            block(i, i)[j * B + j] += n;
    pthread_barrier_init(&barrier, NULL, n_threads);
    run_threads(n_threads, worker);
    double sum = 0;
    for (size_t i = 0; i < (size_t)n * n; i++)
        sum += matrix[i];
    printf("lu %.6f\n", sum);
    return 0;
}
