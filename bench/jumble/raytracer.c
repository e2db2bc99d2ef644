/*
 * raytracer: workers add their checksums to a global one without a lock; the program
 * validates the sum.
 */
#include <pthread.h>
#include <stdio.h>

#include "scale.h"

enum { THREADS = 4, PIXELS = SCALED(100, 30000000) };
struct JGFRayTracerBench {
    long checksum1;
};
static struct JGFRayTracerBench bench;

static long render(int me)
{
    long sum = 0;

    for (long i = 0; i < PIXELS; i++)
        sum += (i * 31 + me * 17) % 255;
    return sum;
}

static void *work(void *arg)
{
    long checksum = render((int)(long)arg);

    bench.checksum1 = bench.checksum1 + checksum;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    long expected = 0;

    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        expected += render(i);
    }
    if (bench.checksum1 != expected) {
        puts("validation failed");
        return 1;
    }
    puts("validated");
    return 0;
}
