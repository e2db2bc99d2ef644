/* The unbounded queue with a lock at each end: where it is empty both ends meet in one link. */
#include "two.h"

struct node {
    int value;
    SHARED(struct node *) next;
};
static struct node first, second;
static struct node *head = &first, *tail = &first;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void *enqueue(void *arg)
{
    second.value = 7;
    pthread_mutex_lock(&tail_lock);
    tail->next = &second;
    tail = &second;
    pthread_mutex_unlock(&tail_lock);
    return arg;
}

static void *dequeue(void *arg)
{
    pthread_mutex_lock(&head_lock);
    struct node *next = head->next;
    if (next) {
        assert(next->value == 7);
        head = next;
    }
    pthread_mutex_unlock(&head_lock);
    return arg;
}

int main(void)
{
    run_two(enqueue, dequeue);
    return 0;
}
