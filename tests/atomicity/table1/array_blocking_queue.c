/*
 * ArrayBlockingQueue: what is put by one bulk operation does not stay together.
 *
 * expect: set=queue unit=queue_add_all pattern=1,2,3,4,5,6,7,8
 *
 * Each element is put under the lock, so two bulk operations mix. The consumer waits for elements
 * in the middle of its unit of work, here and in the twin: what others do while it sleeps is no
 * interference.
 */
#include "../program.h"

#define BULK 3
#define CAPACITY (2 * BULK)

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    int head, count;
    int elements[CAPACITY];
};

void queue_put(struct queue *queue, int element)
{
    pthread_mutex_lock(&queue->lock);
    assert(queue->count < CAPACITY);
    queue->elements[(queue->head + queue->count) % CAPACITY] = element;
    queue->count++;
    pthread_cond_signal(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

int queue_take(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    int element = queue->elements[queue->head];
    queue->head = (queue->head + 1) % CAPACITY;
    queue->count--;
    pthread_mutex_unlock(&queue->lock);
    return element;
}

void queue_add_all(struct queue *queue, const int *elements, int count)
{
    repair_lock(&queue->lock);
    for (int i = 0; i < count; i++)
        queue_put(queue, elements[i]);
    repair_unlock(&queue->lock);
}

static struct queue queue = {.lock = MONITOR, .not_empty = PTHREAD_COND_INITIALIZER};
static const int ones[BULK] = {1, 1, 1}, twos[BULK] = {2, 2, 2};
static int changes;

static void *put_ones(void *unused)
{
    queue_add_all(&queue, ones, BULK);
    return unused;
}

static void *put_twos(void *unused)
{
    queue_add_all(&queue, twos, BULK);
    return unused;
}

static void *take(void *unused)
{
    int last = queue_take(&queue);

    for (int i = 1; i < CAPACITY; i++) {
        int element = queue_take(&queue);
        changes += element != last;
        last = element;
    }
    return unused;
}

int main(void)
{
    struct job jobs[] = {{put_ones, NULL}, {put_twos, NULL}, {take, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(changes == 1);
    return 0;
}
