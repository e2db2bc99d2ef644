/* Figure 2: double-checked locking. p is benign, x and y are not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y;
} Point;
static Point *p;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Point *new_point(void)
{
    Point *new = calloc(1, sizeof(*new));
    new->x = 1.0;
    new->y = 1.0;
    return new;
}

static Point *get(void)
{
    Point *t = p;

    if (t)
        return t;
    pthread_mutex_lock(&lock);
    if (!p)
        p = new_point();
    t = p;
    pthread_mutex_unlock(&lock);
    return t;
}

static void *slope(void *arg)
{
    *(double *)arg = get()->y / get()->x;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    double slopes[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, slope, &slopes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%g\n%g\n", slopes[0], slopes[1]);
    return 0;
}
