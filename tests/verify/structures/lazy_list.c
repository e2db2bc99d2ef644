/* Lazy list (Heller and others): who inserts or deletes locks two neighbours and looks again; who
   looks for a key takes no lock. Weakened: linking a node is no release. */
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
    struct node *_Atomic next;
    atomic_int deleted, held;
    int key;
};
static struct node last = {.key = 100}, middle = {&last, 0, 0, 20}, first = {&middle, 0, 0, 0};

static void lock(struct node *node)
{
    while (atomic_exchange_explicit(&node->held, 1, memory_order_acquire))
        continue;
}

static void unlock(struct node *node)
{
    atomic_store_explicit(&node->held, 0, memory_order_release);
}

/* Both are locked when it returns, the second one the first that is not less than key. */
static void lock_neighbours(int key, struct node **left, struct node **right)
{
    for (;;) {
        *left = &first;
        *right = atomic_load_explicit(&first.next, memory_order_acquire);
        while ((*right)->key < key) {
            *left = *right;
            *right = atomic_load_explicit(&(*right)->next, memory_order_acquire);
        }
        lock(*left);
        lock(*right);
        if (!atomic_load_explicit(&(*left)->deleted, memory_order_relaxed) &&
            !atomic_load_explicit(&(*right)->deleted, memory_order_relaxed) &&
            atomic_load_explicit(&(*left)->next, memory_order_relaxed) == *right)
            return;
        unlock(*left);
        unlock(*right);
    }
}

static void *insert(void *key)
{
    struct node *left, *right, *new = malloc(sizeof *new);
    new->key = (int)(intptr_t)key;
    atomic_init(&new->deleted, 0);
    atomic_init(&new->held, 0);
    lock_neighbours(new->key, &left, &right);
    atomic_init(&new->next, right);
    atomic_store_explicit(&left->next, new, ORDER(memory_order_release));
    unlock(left);
    unlock(right);
    return NULL;
}

static void *delete(void *key)
{
    struct node *left, *right;
    lock_neighbours((int)(intptr_t)key, &left, &right);
    atomic_store_explicit(&right->deleted, 1, memory_order_relaxed);
    atomic_store_explicit(&left->next, atomic_load_explicit(&right->next, memory_order_relaxed),
                          memory_order_release);
    unlock(left);
    unlock(right);
    return NULL;
}

static int contains(int key)
{
    struct node *node = &first;
    while (node->key < key)
        node = atomic_load_explicit(&node->next, memory_order_acquire);
    return node->key == key && !atomic_load_explicit(&node->deleted, memory_order_relaxed);
}

static void *look(void *unused)
{
    assert(contains(100));
    return unused;
}

int main(void)
{
    pthread_t threads[INSERTERS + 2];
    for (intptr_t i = 0; i < INSERTERS; i++)
        pthread_create(&threads[i], NULL, insert, (void *)(30 + i));
    pthread_create(&threads[INSERTERS], NULL, delete, (void *)20);
    pthread_create(&threads[INSERTERS + 1], NULL, look, NULL);
    for (int i = 0; i < INSERTERS + 2; i++)
        pthread_join(threads[i], NULL);
    assert(!contains(20));
    for (int i = 0; i < INSERTERS; i++)
        assert(contains(30 + i));
    return 0;
}
