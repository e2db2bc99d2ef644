/* RCU: a reader announces itself and follows the pointer; who replaces the object waits for it
   before he spoils the old one. Weakened: the reader's announcement may come late. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif

struct item {
    int value;
    struct item *next;
};
static struct item second = {2, NULL}, first = {1, &second};
static struct item *_Atomic list = &first;
static atomic_int reading;

static void *read_list(void *unused)
{
    atomic_store_explicit(&reading, 1, memory_order_relaxed);
    atomic_thread_fence(FENCE);
    for (struct item *i = atomic_load_explicit(&list, memory_order_acquire); i; i = i->next)
        assert(i->value > 0);
    atomic_store_explicit(&reading, 0, memory_order_release);
    return unused;
}

static void *replace(void *unused)
{
    struct item *old = atomic_load_explicit(&list, memory_order_relaxed);
    struct item *new = malloc(sizeof *new);
    new->value = 3;
    new->next = old->next;
    atomic_store_explicit(&list, new, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&reading, memory_order_acquire))
        continue;
    old->value = -1;
    return unused;
}

int main(void)
{
    pthread_t reader, writer;
    pthread_create(&reader, NULL, read_list, NULL);
    pthread_create(&writer, NULL, replace, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
