/*
 * One of two functions that change a list forgets the lock.
 *
 * fix: pthread_mutex_lock(&lock);
 * fix: pthread_mutex_unlock(&lock);
 * not: atomic
 * hides
 */
#include "pair.h"

struct node {
    struct node *next;
};
static struct node *head;
static struct node nodes[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push_first(void *arg)
{
    pthread_mutex_lock(&lock);
    nodes[0].next = head;
    head = &nodes[0];
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *push_second(void *arg)
{
    nodes[1].next = head;
    head = &nodes[1];
    return arg;
}

int main(void)
{
    int n = 0;
    run_pair(push_first, push_second);
    for (struct node *at = head; at; at = at->next)
        n++;
    assert(n == 2);
    return 0;
}
