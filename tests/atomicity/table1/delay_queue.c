/*
 * DelayQueue: a bulk of entries is drained before all of them are in.
 *
 * expect: set=queue unit=queue_add_all pattern=3,4,5,6,7,8,9
 *
 * Entries are kept in the order they fall due. Putting one and draining all are locked; adding
 * several is a loop over the first.
 */
#include "../program.h"

#define BULK 3

struct entry {
    int due;
    int element;
};

struct queue {
    pthread_mutex_t lock;
    int size;
    struct entry entries[BULK];
};

void queue_put(struct queue *queue, int due, int element)
{
    pthread_mutex_lock(&queue->lock);
    int i = queue->size++;
    for (; i > 0 && queue->entries[i - 1].due > due; i--)
        queue->entries[i] = queue->entries[i - 1];
    queue->entries[i].due = due;
    queue->entries[i].element = element;
    pthread_mutex_unlock(&queue->lock);
}

void queue_add_all(struct queue *queue, const struct entry *entries, int count)
{
    repair_lock(&queue->lock);
    for (int i = 0; i < count; i++)
        queue_put(queue, entries[i].due, entries[i].element);
    repair_unlock(&queue->lock);
}

/* How many were due by then, and are gone now. */
int queue_drain(struct queue *queue, int now)
{
    int due = 0;

    pthread_mutex_lock(&queue->lock);
    while (due < queue->size && queue->entries[due].due <= now)
        due++;
    for (int i = due; i < queue->size; i++)
        queue->entries[i - due] = queue->entries[i];
    queue->size -= due;
    pthread_mutex_unlock(&queue->lock);
    return due;
}

static struct queue queue = {.lock = MONITOR};
static const struct entry bulk[BULK] = {{30, 1}, {10, 2}, {20, 3}};
static int drained;

static void *add_all(void *unused)
{
    queue_add_all(&queue, bulk, BULK);
    return unused;
}

static void *drain(void *unused)
{
    drained = queue_drain(&queue, 100);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{add_all, NULL}, {drain, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(drained == 0 || drained == BULK);
    return 0;
}
