/*
 * Memory that was used before is initialised again by the copy of a struct, under another name,
 * before the threads start; then it is published by a plain flag.
 *
 * hunt: node.next destructive pso
 *
 * What the copy left is as stale as any value when the flag says that there is a newer one.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    long next;
};
struct tag {
    long value;
} __attribute__((may_alias));

static struct node *node;
static volatile int ready;
static union {
    _Atomic long whole;
    _Atomic int half;
} both; /* of two sizes: verify refuses the program, so that trials decide */

static void *writer(void *arg)
{
    both.whole++;
    node->next = 5;
    ready = 1;
    return arg;
}

static void *reader(void *arg)
{
    both.half++;
    if (!ready)
        return arg;
    long seen = node->next;
    assert(seen == 5);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    struct tag empty = {0};
    node = malloc(sizeof *node);
    node->next = 77;
    *(struct tag *)node = empty;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(node);
    return 0;
}
