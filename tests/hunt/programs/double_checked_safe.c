/*
 * The race-free twin of double_checked.c.
 *
 * hunt: nothing
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int x, y;
} Point;
static _Atomic(Point *) point;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Point *get(void)
{
    Point *p = atomic_load_explicit(&point, memory_order_acquire);

    if (p)
        return p;
    pthread_mutex_lock(&lock);
    p = atomic_load_explicit(&point, memory_order_relaxed);
    if (!p) {
        p = calloc(1, sizeof(*p));
        p->x = 1;
        p->y = 1;
        atomic_store_explicit(&point, p, memory_order_release);
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
