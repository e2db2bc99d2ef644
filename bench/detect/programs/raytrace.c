/* A ray tracer: spheres that all threads read, rows from a queue under a lock. */
#include "bench.h"
#include <math.h>

#define SPHERES 64

struct vector {
    double x, y, z;
};

struct sphere {
    struct vector centre;
    double radius, shade, mirror;
};

static int width, height, n_threads, next_row;
static struct sphere scene[SPHERES];
static unsigned char *image;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct vector along(struct vector from, struct vector direction, double t)
{
    return (struct vector){from.x + t * direction.x, from.y + t * direction.y,
                           from.z + t * direction.z};
}

static double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static const struct sphere *hit(struct vector from, struct vector direction, double *distance)
{
    const struct sphere *nearest = NULL;
    *distance = 1e9;
    for (int i = 0; i < SPHERES; i++) {
        const struct sphere *s = &scene[i];
        struct vector d = {s->centre.x - from.x, s->centre.y - from.y, s->centre.z - from.z};
        double b = dot(d, direction), q = b * b - dot(d, d) + s->radius * s->radius;
        if (q < 0)
            continue;
        double t = b - sqrt(q);
        if (t > 1e-6 && t < *distance) {
            *distance = t;
            nearest = s;
        }
    }
    return nearest;
}

static double trace(struct vector from, struct vector direction, int depth)
{
    double t;
    const struct sphere *s = hit(from, direction, &t);
    if (!s)
        return 0.1 + 0.1 * direction.y;
    struct vector p = along(from, direction, t);
    struct vector normal = {(p.x - s->centre.x) / s->radius, (p.y - s->centre.y) / s->radius,
                            (p.z - s->centre.z) / s->radius};
    double light = -normal.z * s->shade;
    if (depth == 0 || s->mirror < 0.2)
        return light;
    struct vector mirrored = along(direction, normal, -2 * dot(direction, normal));
    return light + s->mirror * trace(p, mirrored, depth - 1);
}

static void render_row(int row)
{
    for (int x = 0; x < width; x++) {
        struct vector direction = {(x - width / 2) / (double)width,
                                   (row - height / 2) / (double)height, 1};
        double length = sqrt(dot(direction, direction));
        direction = along((struct vector){0, 0, 0}, direction, 1 / length);
        double value = trace((struct vector){0, 0, -5}, direction, 3) * 200;
        image[row * width + x] = value < 0 ? 0 : value > 255 ? 255 : (unsigned char)value;
    }
}

static void *worker(void *argument)
{
    (void)argument;
    for (;;) {
        pthread_mutex_lock(&lock);
        int row = next_row++;
        pthread_mutex_unlock(&lock);
        if (row >= height)
            return NULL;
        render_row(row);
    }
}

int main(int argc, char **argv)
{
    width = height = argument(argc, argv, 1, 500);
    n_threads = argument(argc, argv, 2, 2);
    uint32_t seed = 11;
    for (int i = 0; i < SPHERES; i++)
        scene[i] = (struct sphere){{next_random(&seed) % 100 * 0.05 - 2.5,
                                    next_random(&seed) % 100 * 0.05 - 2.5,
                                    next_random(&seed) % 100 * 0.05},
                                   0.3,
                                   next_random(&seed) % 100 * 0.01,
                                   next_random(&seed) % 100 * 0.008};
    image = malloc(width * height);
    run_threads(n_threads, worker);
    uint64_t sum = 0;
    for (int i = 0; i < width * height; i++)
        sum = sum * 31 + image[i];
    printf("raytrace %016lx\n", (unsigned long)sum);
    return 0;
}
