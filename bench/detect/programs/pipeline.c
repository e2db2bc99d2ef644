/* A pipeline of three stages, bounded queues with condition variables between them. */
#include "bench.h"

#define ROOM 32
#define WORDS 256

struct item {
    uint32_t words[WORDS];
    uint32_t sum;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct item *items[ROOM];
    int first, used;
};

static int n;
static struct queue queues[2];
static uint64_t total;

static void put(struct queue *queue, struct item *item)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->used == ROOM)
        pthread_cond_wait(&queue->changed, &queue->lock);
    queue->items[(queue->first + queue->used++) % ROOM] = item;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static struct item *take(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->used == 0)
        pthread_cond_wait(&queue->changed, &queue->lock);
    struct item *item = queue->items[queue->first];
    queue->first = (queue->first + 1) % ROOM;
    queue->used--;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

static void produce(void)
{
    uint32_t seed = 9;
    for (int i = 0; i < n; i++) {
        struct item *item = malloc(sizeof *item);
        for (int k = 0; k < WORDS; k++)
            item->words[k] = next_random(&seed);
        put(&queues[0], item);
    }
    put(&queues[0], NULL);
}

static void transform(void)
{
    struct item *item;
    while ((item = take(&queues[0]))) {
        for (int round = 0; round < 4; round++)
            for (int k = 1; k < WORDS; k++)
                item->words[k] = (item->words[k] ^ item->words[k - 1]) * 2654435761u;
        put(&queues[1], item);
    }
    put(&queues[1], NULL);
}

static void consume(void)
{
    struct item *item;
    while ((item = take(&queues[1]))) {
        item->sum = 0;
        for (int k = 0; k < WORDS; k++)
            item->sum += item->words[k];
        total += item->sum;
        free(item);
    }
}

static void *worker(void *argument)
{
    switch ((intptr_t)argument) {
    case 0:
        produce();
        break;
    case 1:
        transform();
        break;
    default:
        consume();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 30000);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&queues[i].lock, NULL);
        pthread_cond_init(&queues[i].changed, NULL);
    }
    run_threads(3, worker);
    printf("pipeline %lu\n", (unsigned long)total);
    return 0;
}
