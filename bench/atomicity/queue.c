/* A bounded queue with condition variables, and a hash of each item between two of them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 16, WORKERS = 3, MIXES = 4000 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned long items[ROOM];
    int first, count;
};

static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
                             .changed = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;

void queue_put(struct queue *q, unsigned long item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == ROOM)
        pthread_cond_wait(&q->changed, &q->lock);
    q->items[(q->first + q->count++) % ROOM] = item;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

unsigned long queue_get(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->count)
        pthread_cond_wait(&q->changed, &q->lock);
    unsigned long item = q->items[q->first];
    q->first = (q->first + 1) % ROOM;
    q->count--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *work(void *arg)
{
    unsigned long item;
    while ((item = queue_get(&queue)) != 0) {
        for (int i = 0; i < MIXES; i++)
            item = (item ^ item >> 29) * 0xbf58476d1ce4e5b9u;
        pthread_mutex_lock(&sum_lock);
        sum += item;
        pthread_mutex_unlock(&sum_lock);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[WORKERS];
    long items = argc > 1 ? atol(argv[1]) : 1000;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (long i = 1; i <= items; i++)
        queue_put(&queue, (unsigned long)i);
    for (int i = 0; i < WORKERS; i++)
        queue_put(&queue, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    printf("%lx\n", sum);
    return 0;
}
