/*
 * A list whose head is published with a plain store.
 *
 * hunt: Node.value destructive pso
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Node {
    int value;
    struct Node *next;
};
static struct Node *head;

static void *push(void *arg)
{
    for (int i = 1; i <= 3; i++) {
        struct Node *node = calloc(1, sizeof(*node));
        node->next = head;
        node->value = i;
        head = node;
    }
    return arg;
}

static void *walk(void *arg)
{
    for (struct Node *node = head; node; node = node->next)
        assert(node->value > 0);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, push, NULL);
    pthread_create(&threads[1], NULL, walk, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
