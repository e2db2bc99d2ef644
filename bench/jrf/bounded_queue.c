/* The bounded queue with a lock at each end: both ends count, so the count must be atomic. */
#include "two.h"

static int items[2];
static SHARED(int) size;
static int head, tail;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void *enqueue(void *arg)
{
    pthread_mutex_lock(&tail_lock);
    if (size < 2) {
        items[tail++] = 7;
        size++;
    }
    pthread_mutex_unlock(&tail_lock);
    return arg;
}

static void *dequeue(void *arg)
{
    pthread_mutex_lock(&head_lock);
    if (size > 0) {
        assert(items[head++] == 7);
        size--;
    }
    pthread_mutex_unlock(&head_lock);
    return arg;
}

int main(void)
{
    run_two(enqueue, dequeue);
    return 0;
}
