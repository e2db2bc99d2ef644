// hb: 1 2 ring
// past: 1 2
// Two push to a list. With the future each may see the other's element as the first.
#include <pthread.h>
#include <stdio.h>

static struct node {
    struct node *next;
} nodes[2], *head;

static void *push(void *arg)
{
    struct node *node = arg;
    node->next = head;
    head = node;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    int n = 0;
    pthread_create(&one, NULL, push, &nodes[0]);
    pthread_create(&two, NULL, push, &nodes[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    for (const struct node *node = head; node && n < 3; node = node->next)
        n++;
    if (n < 3)
        printf("%d\n", n);
    else
        puts("ring");
    return 0;
}
