/* The lazy list: contains takes no lock, so the mark and the links it reads must be atomic. */
#include "two.h"

struct node {
    int key;
    SHARED(int) marked;
    SHARED(struct node *) next;
};
static struct node last = {100, 0, NULL}, middle = {5, 0, &last}, head = {0, 0, &middle};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take_out(void *arg)
{
    pthread_mutex_lock(&lock);
    middle.marked = 1;
    head.next = middle.next;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *contains(void *arg)
{
    struct node *at = &head;
    while (at->key < 5)
        at = at->next;
    int found = at->key == 5 && !at->marked;
    (void)found;
    return arg;
}

int main(void)
{
    run_two(take_out, contains);
    return 0;
}
