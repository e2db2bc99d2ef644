/* LU decomposition without pivoting, rows dealt to two threads. */
#include <pthread.h>
#include <stdio.h>

enum { N = 1400 };
static double a[N][N];
static pthread_barrier_t barrier;

static void eliminate(int row, int pivot)
{
    double factor = a[row][pivot] /= a[pivot][pivot];

    for (int j = pivot + 1; j < N; j++)
        a[row][j] -= factor * a[pivot][j];
}

static void *work(void *arg)
{
    int me = arg ? 1 : 0;

    for (int pivot = 0; pivot < N; pivot++) {
        for (int row = pivot + 1; row < N; row++)
            if (row % 2 == me)
                eliminate(row, pivot);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    double trace = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N : 1.0 / (1 + i + j);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, work, &barrier);
    work(NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < N; i++)
        trace += a[i][i];
    printf("%.6f\n", trace);
    return 0;
}
