// no race
/* A list onto which two threads push: under one lock. */
#include "../race.h"

struct node {
    struct node *next;
} *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    struct node *node = malloc(sizeof *node);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    struct node *node = malloc(sizeof *node);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
