/*
 * LinkedBlockingQueue: cleared while a bulk operation puts elements, it keeps some of them.
 *
 * expect: set=queue unit=queue_add_all pattern=3
 *
 * The queue has one lock for each end. clear() takes both, and sees `last` between two elements
 * of the bulk: one after the other would have left all of them, or none.
 */
#include "../program.h"

#define BULK 3

struct node {
    int element;
    struct node *next;
};

struct queue {
    pthread_mutex_t put_lock, take_lock;
    struct node *head, *last;
};

static struct node *new_node(int element)
{
    struct node *node = malloc(sizeof(*node));

    assert(node);
    *node = (struct node){.element = element};
    return node;
}

void queue_init(struct queue *queue)
{
    queue->head = queue->last = new_node(0);
}

void queue_put(struct queue *queue, int element)
{
    struct node *node = new_node(element);

    pthread_mutex_lock(&queue->put_lock);
    queue->last->next = node;
    queue->last = node;
    pthread_mutex_unlock(&queue->put_lock);
}

void queue_add_all(struct queue *queue, const int *elements, int count)
{
    repair_lock(&queue->put_lock);
    for (int i = 0; i < count; i++)
        queue_put(queue, elements[i]);
    repair_unlock(&queue->put_lock);
}

/* The nodes are left to the end of the program: only their order matters here. */
void queue_clear(struct queue *queue)
{
    pthread_mutex_lock(&queue->put_lock);
    pthread_mutex_lock(&queue->take_lock);
    queue->head = queue->last;
    pthread_mutex_unlock(&queue->take_lock);
    pthread_mutex_unlock(&queue->put_lock);
}

int queue_length(struct queue *queue)
{
    int length = 0;

    for (struct node *node = queue->head; node->next; node = node->next)
        length++;
    return length;
}

static struct queue queue = {.put_lock = MONITOR, .take_lock = MONITOR};
static const int bulk[BULK] = {1, 2, 3};

static void *add_all(void *unused)
{
    queue_add_all(&queue, bulk, BULK);
    return unused;
}

static void *clear(void *unused)
{
    queue_clear(&queue);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{add_all, NULL}, {clear, NULL}};

    queue_init(&queue);
    run_jobs(jobs, COUNT(jobs));
    assert(queue_length(&queue) == 0 || queue_length(&queue) == BULK);
    return 0;
}
