/* moldyn: particles that attract each other, a barrier of plain flags after each step. */
#include <pthread.h>
#include <stdio.h>

#include "scale.h"
#include "tournament.h"

enum { PARTICLES = SCALED(6, 2048), STEPS = SCALED(4, 10) };
static double position[PARTICLES], force[PARTICLES];

static void *simulate(void *arg)
{
    int id = (int)(long)arg;

    for (int step = 0; step < STEPS; step++) {
        for (int i = id; i < PARTICLES; i += THREADS) {
            force[i] = 0;
            for (int k = 0; k < PARTICLES; k++)
                if (k != i)
                    force[i] += 1 / (position[k] - position[i]);
        }
        do_barrier(id);
        for (int i = id; i < PARTICLES; i += THREADS)
            position[i] += 0.01 * force[i];
        do_barrier(id);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    double sum = 0;

    for (int i = 0; i < PARTICLES; i++)
        position[i] = i * i + 1;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, simulate, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PARTICLES; i++)
        sum += position[i] * (i + 1);
    printf("%.12g\n", sum);
    return 0;
}
