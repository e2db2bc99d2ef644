/* A slab allocator for each thread. What another thread frees goes to its owner's remote list. */
#include "bench.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define SLAB 65536
#define CLASSES 4
#define BATCH 64
#define MAX_LETTERS 16
#define MAX_THREADS 64

struct object {
    struct object *next;
    uint32_t bytes;
};

struct heap {
    struct object *free[CLASSES];
    char *at[CLASSES], *end[CLASSES];
    _Alignas(64) _Atomic(struct object *) remote[CLASSES];
};

/* The head of each slab, which is aligned to its size. */
struct slab {
    struct heap *owner;
    int class;
};

struct mailbox {
    _Alignas(64) pthread_mutex_t lock;
    struct object *letters;
    int n;
};

static int rounds, n_threads;
static atomic_int n_finished;
static struct heap heaps[MAX_THREADS];
static struct mailbox mailboxes[MAX_THREADS];
static uint64_t sums[MAX_THREADS][8];

static size_t class_bytes(int class)
{
    return (size_t)32 << class;
}

static struct slab *slab_of(struct object *object)
{
    return (struct slab *)((uintptr_t)object & ~(uintptr_t)(SLAB - 1));
}

static void refill(struct heap *heap, int class)
{
    struct slab *slab = aligned_alloc(SLAB, SLAB);
    *slab = (struct slab){heap, class};
    heap->at[class] = (char *)slab + class_bytes(class);
    heap->end[class] = (char *)slab + SLAB;
}

static struct object *carve(struct heap *heap, int class)
{
    if (heap->at[class] == heap->end[class])
        refill(heap, class);
    struct object *object = (struct object *)heap->at[class];
    heap->at[class] += class_bytes(class);
    return object;
}

static struct object *allocate(struct heap *heap, int class)
{
    if (!heap->free[class])
        heap->free[class] =
            atomic_exchange_explicit(&heap->remote[class], NULL, memory_order_acquire);
    struct object *object = heap->free[class];
    if (!object)
        return carve(heap, class);
    heap->free[class] = object->next;
    return object;
}

static void release(struct heap *heap, struct object *object)
{
    struct slab *slab = slab_of(object);
    if (slab->owner == heap) {
        object->next = heap->free[slab->class];
        heap->free[slab->class] = object;
        return;
    }
    _Atomic(struct object *) *list = &slab->owner->remote[slab->class];
    struct object *head = atomic_load_explicit(list, memory_order_relaxed);
    do
        object->next = head;
    while (!atomic_compare_exchange_weak_explicit(list, &head, object, memory_order_release,
                                                  memory_order_relaxed));
}

static struct object *compose(struct heap *heap, uint32_t random)
{
    int class = random % CLASSES;
    struct object *object = allocate(heap, class);
    object->bytes = class_bytes(class) - sizeof *object;
    memset(object + 1, (int)(random >> 8 & 255), object->bytes);
    return object;
}

static uint64_t consume(struct heap *heap, struct object *object)
{
    const unsigned char *text = (unsigned char *)(object + 1);
    uint64_t sum = text[0] + 3 * text[object->bytes - 1] + object->bytes;
    release(heap, object);
    return sum;
}

static bool post(struct mailbox *box, struct object *first, struct object *last)
{
    pthread_mutex_lock(&box->lock);
    bool has_room = box->n < MAX_LETTERS;
    if (has_room) {
        last->next = box->letters;
        box->letters = first;
        box->n++;
    }
    pthread_mutex_unlock(&box->lock);
    return has_room;
}

static struct object *collect(struct mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    struct object *letters = box->letters;
    box->letters = NULL;
    box->n = 0;
    pthread_mutex_unlock(&box->lock);
    return letters;
}

static uint64_t consume_list(struct heap *heap, struct object *list)
{
    uint64_t sum = 0;
    while (list) {
        struct object *next = list->next;
        sum += consume(heap, list);
        list = next;
    }
    return sum;
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    struct heap *heap = &heaps[id];
    struct mailbox *neighbour = &mailboxes[(id + 1) % n_threads];
    uint32_t seed = 77 + id;
    uint64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        struct object *mine[BATCH], *first = compose(heap, next_random(&seed)), *last = first;
        for (int i = 0; i < BATCH; i++)
            mine[i] = compose(heap, next_random(&seed));
        for (int i = 1; i < BATCH / 2; i++) {
            last->next = compose(heap, next_random(&seed));
            last = last->next;
        }
        while (!post(neighbour, first, last)) {
            sum += consume_list(heap, collect(&mailboxes[id]));
            sched_yield();
        }
        for (int i = 0; i < BATCH; i++)
            sum += consume(heap, mine[i]);
        sum += consume_list(heap, collect(&mailboxes[id]));
    }
    atomic_fetch_add(&n_finished, 1);
    while (atomic_load(&n_finished) < n_threads) {
        sum += consume_list(heap, collect(&mailboxes[id]));
        sched_yield();
    }
    sums[id][0] = sum;
    return NULL;
}

int main(int argc, char **argv)
{
    rounds = argument(argc, argv, 1, 30000);
    n_threads = argument(argc, argv, 2, 2);
    for (int i = 0; i < n_threads; i++)
        pthread_mutex_init(&mailboxes[i].lock, NULL);
    run_threads(n_threads, worker);
    uint64_t sum = 0;
    for (int i = 0; i < n_threads; i++)
        sum += sums[i][0] + consume_list(&heaps[i], collect(&mailboxes[i]));
    printf("slab %lu\n", (unsigned long)sum);
    return 0;
}
