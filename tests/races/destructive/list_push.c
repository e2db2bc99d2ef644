// race: head
/* A list onto which two threads push. */
#include "../race.h"

struct node {
    struct node *next;
} *head;

static void *a(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->next = head;
    head = node;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    struct node *node = malloc(sizeof *node);
    node->next = head;
    head = node;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
