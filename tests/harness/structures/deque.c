/* Both ends under one lock. BROKEN: each end has a lock of its own, although both ends meet when
   there is one element left. */
#include "deque.h"

#include <pthread.h>
#include <stdlib.h>

enum { MIDDLE = 16 };

struct deque {
    pthread_mutex_t front_lock, back_lock;
    _Atomic int front, back; /* the elements are front to back - 1 */
    int values[2 * MIDDLE];
};

static pthread_mutex_t *back_lock(struct deque *deque)
{
#ifdef BROKEN
    return &deque->back_lock;
#else
    return &deque->front_lock;
#endif
}

struct deque *deque_create(void)
{
    struct deque *deque = calloc(1, sizeof *deque);
    pthread_mutex_init(&deque->front_lock, NULL);
    pthread_mutex_init(&deque->back_lock, NULL);
    deque->front = deque->back = MIDDLE;
    return deque;
}

void deque_destroy(struct deque *deque)
{
    pthread_mutex_destroy(&deque->front_lock);
    pthread_mutex_destroy(&deque->back_lock);
    free(deque);
}

void deque_push_front(struct deque *deque, int value)
{
    pthread_mutex_lock(&deque->front_lock);
    deque->values[deque->front - 1] = value;
    deque->front--;
    pthread_mutex_unlock(&deque->front_lock);
}

void deque_push_back(struct deque *deque, int value)
{
    pthread_mutex_lock(back_lock(deque));
    deque->values[deque->back] = value;
    deque->back++;
    pthread_mutex_unlock(back_lock(deque));
}

bool deque_pop_front(struct deque *deque, int *value)
{
    pthread_mutex_lock(&deque->front_lock);
    bool any = deque->front < deque->back;
    if (any)
        *value = deque->values[deque->front++];
    pthread_mutex_unlock(&deque->front_lock);
    return any;
}

bool deque_pop_back(struct deque *deque, int *value)
{
    pthread_mutex_lock(back_lock(deque));
    bool any = deque->front < deque->back;
    if (any)
        *value = deque->values[--deque->back];
    pthread_mutex_unlock(back_lock(deque));
    return any;
}
