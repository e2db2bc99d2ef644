/* Harris' sorted list: a node is deleted by a mark in its next pointer, then unlinked by whoever
   meets it. Two threads insert beside a node that a third one deletes. Weakened: linking a node is
   no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef INSERTERS
#define INSERTERS 1
#endif

struct node {
    _Atomic uintptr_t next; /* the lowest bit: deleted */
    int key;
};
static struct node last = {0, 100}, middle = {(uintptr_t)&last, 20},
                   first = {(uintptr_t)&middle, 0};

static struct node *to(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

/* The first node that is not less than key and not deleted; *left points to it. */
static struct node *search(int key, struct node **left)
{
    *left = &first;
    struct node *node = to(atomic_load_explicit(&first.next, memory_order_acquire));
    for (;;) {
        uintptr_t next = atomic_load_explicit(&node->next, memory_order_acquire);
        if (next & 1) {
            uintptr_t expected = (uintptr_t)node;
            if (!atomic_compare_exchange_strong_explicit(&(*left)->next, &expected,
                                                         next & ~(uintptr_t)1, memory_order_acq_rel,
                                                         memory_order_acquire))
                return search(key, left);
            node = to(next);
        } else if (node->key >= key) {
            return node;
        } else {
            *left = node;
            node = to(next);
        }
    }
}

static int insert(int key)
{
    struct node *new = malloc(sizeof *new), *left;
    new->key = key;
    for (;;) {
        struct node *right = search(key, &left);
        if (right->key == key)
            return 0;
        uintptr_t expected = (uintptr_t)right;
        atomic_store_explicit(&new->next, expected, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&left->next, &expected, (uintptr_t)new,
                                                    ORDER(memory_order_release),
                                                    memory_order_relaxed))
            return 1;
    }
}

static int delete(int key)
{
    struct node *left, *node = search(key, &left);
    if (node->key != key)
        return 0;
    uintptr_t next = atomic_load_explicit(&node->next, memory_order_acquire);
    while (!(next & 1))
        if (atomic_compare_exchange_weak_explicit(&node->next, &next, next | 1,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            search(key, &left);
            return 1;
        }
    return 0;
}

static void *insert_key(void *key)
{
    assert(insert((int)(intptr_t)key));
    return NULL;
}

static void *delete_middle(void *unused)
{
    assert(delete (20));
    return unused;
}

int main(void)
{
    pthread_t inserters[INSERTERS], deleter;
    for (intptr_t i = 0; i < INSERTERS; i++)
        pthread_create(&inserters[i], NULL, insert_key, (void *)(30 + i));
    pthread_create(&deleter, NULL, delete_middle, NULL);
    for (int i = 0; i < INSERTERS; i++)
        pthread_join(inserters[i], NULL);
    pthread_join(deleter, NULL);
    struct node *left;
    assert(search(20, &left)->key == 30);
    for (int i = 0; i < INSERTERS; i++)
        assert(search(30 + i, &left)->key == 30 + i);
    return 0;
}
