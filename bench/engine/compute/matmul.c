/* Matrix multiplication, half of the rows for each of two threads. */
#include <pthread.h>
#include <stdio.h>

enum { N = 1000 };
static double a[N][N], b[N][N], c[N][N];

static void *work(void *arg)
{
    int first = arg ? N / 2 : 0, last = arg ? N : N / 2;

    for (int i = first; i < last; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                c[i][j] += a[i][k] * b[k][j];
    return NULL;
}

int main(void)
{
    pthread_t other;
    double sum = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i - j;
            b[i][j] = 1.0 / (1 + i + j);
        }
    pthread_create(&other, NULL, work, &other);
    work(NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < N; i++)
        sum += c[i][(i * 7) % N];
    printf("%.6f\n", sum);
    return 0;
}
