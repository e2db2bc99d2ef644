/* Molecular dynamics: all pairs, forces summed under one lock for each group of particles. */
#include "bench.h"

#define GROUPS 64

struct particle {
    double position[3], velocity[3], force[3];
};

static int n, steps, n_threads;
static struct particle *particles;
static pthread_mutex_t locks[GROUPS];
static pthread_barrier_t barrier;

static void add_force(int i, const double *force)
{
    pthread_mutex_lock(&locks[i % GROUPS]);
    for (int k = 0; k < 3; k++)
        particles[i].force[k] += force[k];
    pthread_mutex_unlock(&locks[i % GROUPS]);
}

static void forces_on(int i)
{
    double sum[3] = {0, 0, 0};
    const struct particle *p = &particles[i];
    for (int j = 0; j < n; j++) {
        const struct particle *q = &particles[j];
        double d[3], r2 = 0.01;
        for (int k = 0; k < 3; k++) {
            d[k] = p->position[k] - q->position[k];
            r2 += d[k] * d[k];
        }
        if (r2 > 25.0)
            continue;
        double inverse = 1.0 / r2, strength = inverse * inverse - 0.5 * inverse;
        for (int k = 0; k < 3; k++)
            sum[k] += strength * d[k];
    }
    add_force(i, sum);
}

static void move(int i)
{
    struct particle *p = &particles[i];
    for (int k = 0; k < 3; k++) {
        p->velocity[k] += 1e-4 * p->force[k];
        p->position[k] += 1e-3 * p->velocity[k];
        p->force[k] = 0;
    }
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    for (int step = 0; step < steps; step++) {
        for (int i = id; i < n; i += n_threads)
            forces_on(i);
        pthread_barrier_wait(&barrier);
        for (int i = n * id / n_threads; i < n * (id + 1) / n_threads; i++)
            move(i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 1500);
    steps = argument(argc, argv, 2, 12);
    n_threads = argument(argc, argv, 3, 2);
    uint32_t seed = 3;
    particles = calloc(n, sizeof *particles);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            particles[i].position[k] = next_random(&seed) % 10000 * 1e-3;
    for (int i = 0; i < GROUPS; i++)
        pthread_mutex_init(&locks[i], NULL);
    pthread_barrier_init(&barrier, NULL, n_threads);
    run_threads(n_threads, worker);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += particles[i].position[0] + particles[i].velocity[1];
    printf("moldyn %.9f\n", sum);
    return 0;
}
