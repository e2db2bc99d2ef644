/* After sunflow: rays through spheres, and a geometry that is built when it is first needed. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, SPHERES = 256 };
typedef struct {
    double x, y, z, radius;
} Sphere;
static Sphere scene[SPHERES], *accel;
static int built_accel;
static pthread_mutex_t geometry = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static void make_scene(void)
{
    for (int i = 0; i < SPHERES; i++)
        scene[i] = (Sphere){i % 5 - 2.0, i % 3 - 1.0, 4.0 + i % 7, 0.3};
}

static double intersect(double dx, double dy)
{
    if (built_accel == 0) {
        pthread_mutex_lock(&geometry);
        if (built_accel == 0) {
            accel = scene;
            built_accel = 1;
        }
        pthread_mutex_unlock(&geometry);
    }
    const Sphere *spheres = accel;
    double nearest = INFINITY, length = 1 / sqrt(dx * dx + dy * dy + 1);
    for (int i = 0; i < SPHERES; i++) {
        double along = (spheres[i].x * dx + spheres[i].y * dy + spheres[i].z) * length;
        double away = spheres[i].x * spheres[i].x + spheres[i].y * spheres[i].y +
                      spheres[i].z * spheres[i].z - along * along;
        if (away < spheres[i].radius && along < nearest)
            nearest = along;
    }
    return nearest;
}

static void *trace(void *arg)
{
    double *sum = arg;
    for (long i = 0; i < rounds; i++)
        for (int column = 0; column < 16; column++) {
            double depth = intersect((double)(i % 64) / 64 - 0.5, column / 16.0 - 0.5);
            *sum += isinf(depth) ? 0 : depth;
        }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    double sums[THREADS] = {0};
    rounds = argc > 1 ? atol(argv[1]) : 100;
    make_scene();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, trace, &sums[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
