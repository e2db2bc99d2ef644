/*
 * A pointer from the future: the reader has the node before it is allocated. No stale pointer does
 * harm.
 *
 * options: --trials 40 --variable head
 * hunt: head destructive hb
 * says: from the future, before
 * says: outside of any block
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    const char *name;
};
static struct node *head;
static char initial = 'a';

static void *publish(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->name = "anna";
    head = node;
    return arg;
}

static void *look(void *arg)
{
    struct node *node = head;
    if (node && node->name[0] != initial)
        abort();
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, publish, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
