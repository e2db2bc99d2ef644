/*
 * A counter that loses updates, and that nobody looks at (Jumble: mtrt, threadCount).
 *
 * hunt: tracer.threadCount benign
 */
#include <pthread.h>
#include <stdio.h>

struct RayTracer {
    int threadCount;
};
static struct RayTracer tracer;

static void *trace(void *arg)
{
    tracer.threadCount--;
    return arg;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++) {
        tracer.threadCount++;
        pthread_create(&threads[i], NULL, trace, NULL);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    puts("traced");
    return 0;
}
