/*
 * Double-checked locking (Jumble, Figure 2).
 *
 * options: --no-prescient
 * hunt: point proved-benign
 * hunt: Point.x destructive pso
 * hunt: Point.y destructive pso
 *
 * A stale `point` only costs one more turn through the lock. A stale x or y is the zero
 * that malloc left there: a division by zero, or a wrong slope.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int x, y;
} Point;
static Point *point;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Point *get(void)
{
    Point *p = point;

    if (p)
        return p;
    pthread_mutex_lock(&lock);
    p = point;
    if (!p) {
        p = calloc(1, sizeof(*p));
        p->x = 1;
        p->y = 1;
        point = p;
    }
    pthread_mutex_unlock(&lock);
    return p;
}

static void *slope(void *arg)
{
    *(int *)arg = get()->y / get()->x;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int slopes[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, slope, &slopes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", slopes[0], slopes[1]);
    return 0;
}
