/* A ray tracer: triangles and the tree of boxes above them are arrays of structs that all read. */
#include "bench.h"
#include <math.h>
#include <stdatomic.h>

struct vector {
    float x, y, z;
};

struct triangle {
    struct vector a, edge1, edge2, normal, centre;
    int colour;
};

struct box {
    struct vector low, high;
    int left, first, n; /* a leaf has n triangles */
};

struct ray {
    struct vector from, along;
};

struct hit {
    float distance;
    const struct triangle *triangle;
};

static int size, n_threads, n_triangles, n_boxes;
static struct triangle *triangles;
static struct box *boxes;
static unsigned char *image;
static atomic_int next_row;

static struct vector vector(float x, float y, float z)
{
    return (struct vector){x, y, z};
}

static struct vector add(struct vector a, struct vector b, float scale)
{
    return vector(a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale);
}

static float dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector cross(struct vector a, struct vector b)
{
    return vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static struct vector unit(struct vector a)
{
    return add(vector(0, 0, 0), a, 1 / sqrtf(dot(a, a)));
}

static void set_triangle(struct triangle *to, struct vector a, struct vector b, struct vector c)
{
    to->a = a;
    to->edge1 = add(b, a, -1);
    to->edge2 = add(c, a, -1);
    to->normal = unit(cross(to->edge1, to->edge2));
    to->centre = add(add(add(vector(0, 0, 0), a, 1 / 3.0f), b, 1 / 3.0f), c, 1 / 3.0f);
}

/* Hills over a square. */
static struct vector ground(int i, int j, int side)
{
    float x = 2.0f * i / side - 1, y = 2.0f * j / side - 1;
    return vector(x, y, 0.3f * sinf(6 * x) * cosf(5 * y));
}

static void make_triangles(int side)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            struct triangle *at = &triangles[n_triangles];
            set_triangle(at, ground(i, j, side), ground(i + 1, j, side), ground(i, j + 1, side));
            set_triangle(at + 1, ground(i + 1, j + 1, side), ground(i, j + 1, side),
                         ground(i + 1, j, side));
            at[0].colour = at[1].colour = (i / 8 + j / 8) % 2 ? 200 : 90;
            n_triangles += 2;
        }
}

static void include(struct box *box, struct vector p)
{
    box->low = vector(fminf(box->low.x, p.x), fminf(box->low.y, p.y), fminf(box->low.z, p.z));
    box->high = vector(fmaxf(box->high.x, p.x), fmaxf(box->high.y, p.y), fmaxf(box->high.z, p.z));
}

static void bound(struct box *box)
{
    box->low = vector(1e9f, 1e9f, 1e9f);
    box->high = vector(-1e9f, -1e9f, -1e9f);
    for (int i = box->first; i < box->first + box->n; i++) {
        include(box, triangles[i].a);
        include(box, add(triangles[i].a, triangles[i].edge1, 1));
        include(box, add(triangles[i].a, triangles[i].edge2, 1));
    }
}

static int by_x(const void *a, const void *b)
{
    float x = ((const struct triangle *)a)->centre.x, y = ((const struct triangle *)b)->centre.x;
    return (x > y) - (x < y);
}

static int by_y(const void *a, const void *b)
{
    float x = ((const struct triangle *)a)->centre.y, y = ((const struct triangle *)b)->centre.y;
    return (x > y) - (x < y);
}

static void divide(int at, int depth)
{
    struct box *box = &boxes[at];
    bound(box);
    if (box->n <= 4)
        return;
    qsort(triangles + box->first, box->n, sizeof *triangles, depth % 2 ? by_x : by_y);
    int half = box->n / 2;
    box->left = n_boxes;
    n_boxes += 2;
    boxes[box->left] = (struct box){.first = box->first, .n = half};
    boxes[box->left + 1] = (struct box){.first = box->first + half, .n = box->n - half};
    box->n = 0;
    divide(box->left, depth + 1);
    divide(boxes[at].left + 1, depth + 1);
}

static int meets(const struct box *box, const struct ray *ray, float limit)
{
    float x1 = (box->low.x - ray->from.x) / ray->along.x;
    float x2 = (box->high.x - ray->from.x) / ray->along.x;
    float y1 = (box->low.y - ray->from.y) / ray->along.y;
    float y2 = (box->high.y - ray->from.y) / ray->along.y;
    float z1 = (box->low.z - ray->from.z) / ray->along.z;
    float z2 = (box->high.z - ray->from.z) / ray->along.z;
    float near = fmaxf(fmaxf(fminf(x1, x2), fminf(y1, y2)), fminf(z1, z2));
    float far = fminf(fminf(fmaxf(x1, x2), fmaxf(y1, y2)), fmaxf(z1, z2));
    return near <= far && far > 0 && near < limit;
}

static void intersect(const struct triangle *triangle, const struct ray *ray, struct hit *hit)
{
    struct vector p = cross(ray->along, triangle->edge2);
    float determinant = dot(triangle->edge1, p);
    if (fabsf(determinant) < 1e-9f)
        return;
    struct vector t = add(ray->from, triangle->a, -1), q = cross(t, triangle->edge1);
    float u = dot(t, p) / determinant, v = dot(ray->along, q) / determinant;
    float distance = dot(triangle->edge2, q) / determinant;
    if (u >= 0 && v >= 0 && u + v <= 1 && distance > 1e-4f && distance < hit->distance)
        *hit = (struct hit){distance, triangle};
}

static struct hit trace(const struct ray *ray)
{
    struct hit hit = {1e9f, NULL};
    int stack[64], depth = 0;
    stack[depth++] = 0;
    while (depth) {
        const struct box *box = &boxes[stack[--depth]];
        if (!meets(box, ray, hit.distance))
            continue;
        for (int i = 0; i < box->n; i++)
            intersect(&triangles[box->first + i], ray, &hit);
        if (!box->n) {
            stack[depth++] = box->left;
            stack[depth++] = box->left + 1;
        }
    }
    return hit;
}

static int shade(const struct ray *ray)
{
    struct hit hit = trace(ray);
    if (!hit.triangle)
        return 20;
    struct vector light = unit(vector(0.5f, -0.7f, 0.6f));
    struct ray shadow = {add(ray->from, ray->along, hit.distance), light};
    float bright = fabsf(dot(hit.triangle->normal, light));
    if (trace(&shadow).triangle)
        bright *= 0.3f;
    return (int)((float)hit.triangle->colour * bright);
}

static void *worker(void *unused)
{
    (void)unused;
    for (int y; (y = atomic_fetch_add(&next_row, 1)) < size;)
        for (int x = 0; x < size; x++) {
            struct ray ray = {vector(0.1f, -2.5f, 1.5f), vector(0, 0, 0)};
            ray.along = unit(vector(1.3f * x / size - 0.65f + 1e-4f, 2, -0.4f - 1.3f * y / size));
            image[y * size + x] = (unsigned char)shade(&ray);
        }
    return NULL;
}

int main(int argc, char **argv)
{
    int side = 100;
    size = argument(argc, argv, 1, 350);
    n_threads = argument(argc, argv, 2, 2);
    triangles = malloc(2 * side * side * sizeof *triangles);
    boxes = malloc(2 * side * side * sizeof *boxes);
    image = malloc((size_t)size * size);
    make_triangles(side);
    n_boxes = 1;
    boxes[0] = (struct box){.first = 0, .n = n_triangles};
    divide(0, 0);
    run_threads(n_threads, worker);
    uint64_t sum = 0;
    for (int i = 0; i < size * size; i++)
        sum = sum * 31 + image[i];
    printf("mesh %d %lu\n", n_boxes, (unsigned long)sum);
    return 0;
}
