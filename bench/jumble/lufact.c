/* lufact: Gaussian elimination, a barrier of plain flags after each column. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "scale.h"
#include "tournament.h"

enum { N = SCALED(8, 500) };
static double a[N][N];

static void *factor(void *arg)
{
    int id = (int)(long)arg;

    for (int k = 0; k < N - 1; k++) {
        for (int i = k + 1; i < N; i++) {
            if (i % THREADS != id)
                continue;
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
        do_barrier(id);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    double product = 1;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? 20 : (i * 3 + j * 5) % 7;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, factor, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        product *= a[i][i];
    printf("%.12g\n", product);
    return 0;
}
