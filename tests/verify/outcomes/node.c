// hb: 7 none
// An atomic field is filled by a plain store, before the node is handed over. (With RELAXED it
// races with the load, and hb.sh sees that this is not called complete.)
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RELAXED
#define RELEASE memory_order_release
#else
#define RELEASE memory_order_relaxed
#endif

struct node {
    atomic_int value;
};

static _Atomic(struct node *) shared;

static void *publish(void *unused)
{
    struct node *node = calloc(1, sizeof *node);
    atomic_init(&node->value, 7);
    atomic_store_explicit(&shared, node, RELEASE);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    struct node *node = atomic_load_explicit(&shared, memory_order_acquire);
    if (node)
        printf("%d\n", atomic_load_explicit(&node->value, memory_order_acquire));
    else
        puts("none");
    pthread_join(one, NULL);
    return 0;
}
