/* A field of a struct on the heap: one side takes the lock, the other does not. */
#include "turn.h"

struct queue {
    int length, head;
};

struct queue *queue;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *pop(void *unused)
{
    pthread_mutex_lock(&guard);
    queue->head = 3;
    pthread_mutex_unlock(&guard);
    done();
    return unused;
}

int main(void)
{
    pthread_t consumer;
    queue = calloc(1, sizeof *queue);
    pthread_create(&consumer, NULL, pop, NULL);
    after();
    queue->head = 0;
    pthread_join(consumer, NULL);
    return queue->head;
}
