/* Conjugate gradients with a sparse matrix in compressed rows: the Laplacian of a square grid. */
#include "bench.h"

static int side, n_rows, n_steps, n_threads;
static int *starts, *columns;
static double *values, *x, *r, *p, *q;
static double partial[64][8];
static pthread_barrier_t barrier;

static void put(int row, int column, double value)
{
    columns[starts[row + 1]] = column;
    values[starts[row + 1]++] = value;
}

static void make_matrix(void)
{
    for (int row = 0; row < n_rows; row++) {
        int i = row / side, j = row % side;
        starts[row + 1] = starts[row];
        if (i > 0)
            put(row, row - side, -1);
        if (j > 0)
            put(row, row - 1, -1);
        put(row, row, 4);
        if (j < side - 1)
            put(row, row + 1, -1);
        if (i < side - 1)
            put(row, row + side, -1);
    }
}

static void multiply(int from, int to)
{
    for (int row = from; row < to; row++) {
        double sum = 0;
        for (int i = starts[row]; i < starts[row + 1]; i++)
            sum += values[i] * p[columns[i]];
        q[row] = sum;
    }
}

/* All threads add the parts in the same order, and so get the same sum. */
static double dot(int id, const double *a, const double *b, int from, int to)
{
    double sum = 0;
    for (int i = from; i < to; i++)
        sum += a[i] * b[i];
    partial[id][0] = sum;
    pthread_barrier_wait(&barrier);
    sum = 0;
    for (int i = 0; i < n_threads; i++)
        sum += partial[i][0];
    pthread_barrier_wait(&barrier);
    return sum;
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    int from = (int)((long)n_rows * id / n_threads),
        to = (int)((long)n_rows * (id + 1) / n_threads);
    double residual = dot(id, r, r, from, to);
    for (int step = 0; step < n_steps; step++) {
        multiply(from, to);
        double alpha = residual / dot(id, p, q, from, to);
        for (int i = from; i < to; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(id, r, r, from, to), beta = next / residual;
        residual = next;
        for (int i = from; i < to; i++)
            p[i] = r[i] + beta * p[i];
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n_steps = argument(argc, argv, 1, 250);
    n_threads = argument(argc, argv, 2, 2);
    side = 250;
    n_rows = side * side;
    starts = calloc(n_rows + 1, sizeof *starts);
    columns = malloc(5 * n_rows * sizeof *columns);
    values = malloc(5 * n_rows * sizeof *values);
    x = calloc(n_rows, sizeof *x);
    q = calloc(n_rows, sizeof *q);
    r = malloc(n_rows * sizeof *r);
    p = malloc(n_rows * sizeof *p);
    make_matrix();
    for (int i = 0; i < n_rows; i++)
        p[i] = r[i] = 1 + i % 7;
    pthread_barrier_init(&barrier, NULL, n_threads);
    run_threads(n_threads, worker);
    double sum = 0;
    for (int i = 0; i < n_rows; i++)
        sum += x[i] * (i % 3 + 1);
    printf("cg %.6e\n", sum);
    return 0;
}
