/* A queue under a lock. BROKEN: the place is claimed under the lock, and filled after it. */
#include "queue.h"

#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t lock;
    size_t head, tail, capacity;
    void *items[];
};

queue *queue_new(size_t capacity)
{
    queue *q = calloc(1, sizeof *q + capacity * sizeof(void *));
    pthread_mutex_init(&q->lock, NULL);
    q->capacity = capacity;
    return q;
}

void queue_delete(queue *q)
{
    pthread_mutex_destroy(&q->lock);
    free(q);
}

bool queue_put(queue *q, void *item)
{
    pthread_mutex_lock(&q->lock);
    bool room = q->tail - q->head < q->capacity;
    size_t at = q->tail % q->capacity;
    q->tail += room;
#ifdef BROKEN
    pthread_mutex_unlock(&q->lock);
    if (room)
        q->items[at] = item;
#else
    if (room)
        q->items[at] = item;
    pthread_mutex_unlock(&q->lock);
#endif
    return room;
}

void *queue_take(queue *q)
{
    pthread_mutex_lock(&q->lock);
    void *item = q->head < q->tail ? q->items[q->head++ % q->capacity] : NULL;
    pthread_mutex_unlock(&q->lock);
    return item;
}

size_t queue_length(const queue *q)
{
    pthread_mutex_lock((pthread_mutex_t *)&q->lock);
    size_t length = q->tail - q->head;
    pthread_mutex_unlock((pthread_mutex_t *)&q->lock);
    return length;
}
