// Ten stages joined by bounded queues: many blocks and wake-ups, one result.
#include <assert.h>
#include <pthread.h>

enum { STAGES = 10, ITEMS = 20, ROOM = 3 };
static struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[ROOM], head, count;
} queues[STAGES + 1];

static void put(struct queue *queue, int item)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == ROOM)
        pthread_cond_wait(&queue->not_full, &queue->lock);
    queue->items[(queue->head + queue->count++) % ROOM] = item;
    pthread_cond_signal(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

static int take(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    int item = queue->items[queue->head];
    queue->head = (queue->head + 1) % ROOM;
    queue->count--;
    pthread_cond_signal(&queue->not_full);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

static void *stage(void *arg)
{
    struct queue *from = arg;

    for (int i = 0; i < ITEMS; i++)
        put(from + 1, take(from) + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[STAGES];

    for (int i = 0; i <= STAGES; i++) {
        pthread_mutex_init(&queues[i].lock, NULL);
        pthread_cond_init(&queues[i].not_empty, NULL);
        pthread_cond_init(&queues[i].not_full, NULL);
    }
    for (int i = 0; i < STAGES; i++)
        pthread_create(&threads[i], NULL, stage, &queues[i]);
    for (int i = 0, taken = 0; taken < ITEMS;) {
        if (i < ITEMS)
            put(&queues[0], i++);
        if (i >= ROOM)
            assert(take(&queues[STAGES]) == taken++ + STAGES);
    }
    for (int i = 0; i < STAGES; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
