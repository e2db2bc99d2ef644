/*
 * mtrt: the parent counts the runners it starts, each runner counts itself off without a
 * lock, and nobody looks at the count.
 */
#include <pthread.h>
#include <stdio.h>

#include "scale.h"

enum { RUNNERS = 4, PIXELS = SCALED(50, 50000000) };
struct RayTracer {
    int threadCount;
};
static struct RayTracer tracer;
static int pixels[RUNNERS];

static void *run(void *arg)
{
    int me = (int)(long)arg;

    for (int i = 0; i < PIXELS; i++)
        pixels[me] += (i * me) % 7;
    tracer.threadCount = tracer.threadCount - 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[RUNNERS];
    int sum = 0;

    for (long i = 0; i < RUNNERS; i++) {
        tracer.threadCount = tracer.threadCount + 1;
        pthread_create(&threads[i], NULL, run, (void *)i);
    }
    for (int i = 0; i < RUNNERS; i++) {
        pthread_join(threads[i], NULL);
        sum += pixels[i];
    }
    printf("%d\n", sum);
    return 0;
}
