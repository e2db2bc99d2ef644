/* Bodies that attract each other: forces on two threads, a barrier between phases. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 1000, STEPS = 100 };
static struct body {
    double at[3], speed[3], mass;
} bodies[N];
static pthread_barrier_t barrier;

static void pull(struct body *body)
{
    for (int i = 0; i < N; i++) {
        const struct body *other = &bodies[i];
        double d[3], square = 1e-3;
        for (int k = 0; k < 3; k++) {
            d[k] = other->at[k] - body->at[k];
            square += d[k] * d[k];
        }
        double force = other->mass / (square * sqrt(square)) * 1e-4;
        for (int k = 0; k < 3; k++)
            body->speed[k] += d[k] * force;
    }
}

static void *work(void *arg)
{
    int first = arg ? N / 2 : 0, last = arg ? N : N / 2;

    for (int step = 0; step < STEPS; step++) {
        for (int i = first; i < last; i++)
            pull(&bodies[i]);
        pthread_barrier_wait(&barrier);
        for (int i = first; i < last; i++)
            for (int k = 0; k < 3; k++)
                bodies[i].at[k] += bodies[i].speed[k] * 1e-2;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    double sum = 0;

    for (int i = 0; i < N; i++)
        bodies[i] = (struct body){{sin(i), cos(i * 1.3), sin(i * 0.7)}, {0}, 1 + i % 3};
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, work, &barrier);
    work(NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < N; i++)
        sum += bodies[i].at[0] * bodies[i].speed[1];
    printf("%.9f\n", sum);
    return 0;
}
