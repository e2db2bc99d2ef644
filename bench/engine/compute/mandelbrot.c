/* The Mandelbrot set, lines taken in turn by two threads. No memory to speak of: what is left
   is the cost of the loop counters. */
#include <pthread.h>
#include <stdio.h>

enum { N = 1800, LIMIT = 200 };
static unsigned char image[N][N];

static int escape(double cx, double cy)
{
    double x = 0, y = 0;
    int i = 0;

    while (i < LIMIT && x * x + y * y < 4) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        i++;
    }
    return i;
}

static void *work(void *arg)
{
    for (int i = arg ? 1 : 0; i < N; i += 2)
        for (int j = 0; j < N; j++)
            image[i][j] = (unsigned char)escape(j * 3.0 / N - 2.2, i * 3.0 / N - 1.5);
    return NULL;
}

int main(void)
{
    pthread_t other;
    long sum = 0;

    pthread_create(&other, NULL, work, &other);
    work(NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += image[i][j];
    printf("%ld\n", sum);
    return 0;
}
