/* A list with a lock in each node, taken hand over hand; the race is that the walk begins without
   the lock of the head. */
#include "two.h"

struct node {
    int key;
    struct node *next;
    pthread_mutex_t lock;
};
static struct node last = {100, NULL, PTHREAD_MUTEX_INITIALIZER};
static struct node head = {0, &last, PTHREAD_MUTEX_INITIALIZER};
static struct node nodes[2] = {{5, NULL, PTHREAD_MUTEX_INITIALIZER},
                               {7, NULL, PTHREAD_MUTEX_INITIALIZER}};

static void *add(void *arg)
{
    struct node *new = &nodes[*(int *)arg], *before = &head;
#ifdef FIXED
    pthread_mutex_lock(&before->lock);
    struct node *at = before->next;
#else
    struct node *at = before->next;
    pthread_mutex_lock(&before->lock);
#endif
    pthread_mutex_lock(&at->lock);
    while (at->key < new->key) {
        pthread_mutex_unlock(&before->lock);
        before = at;
        at = at->next;
        pthread_mutex_lock(&at->lock);
    }
    new->next = at;
    before->next = new;
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
    return arg;
}

int main(void)
{
    run_two(add, add);
    return 0;
}
