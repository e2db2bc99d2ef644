/* A list with one lock; the race is that contains does not take it. */
#include "two.h"

struct node {
    int key;
    struct node *next;
};
static struct node last = {100, NULL}, head = {0, &last};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
    struct node *new = calloc(1, sizeof *new);
    new->key = 5;
    pthread_mutex_lock(&lock);
    struct node *at = &head;
    while (at->next->key < new->key)
        at = at->next;
    new->next = at->next;
    at->next = new;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *contains(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    struct node *at = &head;
    while (at->key < 5)
        at = at->next;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    run_two(add, contains);
    return 0;
}
