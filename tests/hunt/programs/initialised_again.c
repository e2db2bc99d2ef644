/*
 * Memory that was used before is initialised again by the copy of a struct, under another name,
 * before the threads start.
 *
 * hunt: node.next benign
 *
 * The copy's site is not one of the racy variable's, so the runtime sees only what it left. Nobody
 * may be shown the 77 from before it.
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
static union {
    _Atomic long whole;
    _Atomic int half;
} both; /* of two sizes: verify refuses the program, so that trials decide */

static void *writer(void *arg)
{
    both.whole++;
    node->next = 5;
    return arg;
}

static void *reader(void *arg)
{
    both.half++;
    long seen = node->next;
    assert(seen == 0 || seen == 5);
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
