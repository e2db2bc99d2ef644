// violation: use-after-free
// race: box->value
// models: sc tso pso c11
// The stores of a free wait in the store buffer of its thread: under tso and pso the reader may see
// the block as it was after the free has been executed, and then see it freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct {
    int value, other;
} *box;
static atomic_int late, reads;

static void *frees(void *unused)
{
    box->other = 1;
    free(box);
    atomic_store_explicit(&reads, 1 + atomic_load_explicit(&late, memory_order_relaxed),
                          memory_order_relaxed);
    return unused;
}

static void *uses(void *unused)
{
    atomic_store(&late, 1);
    if (box->value == 7 && box->value == 7)
        return &box->value;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    box = malloc(sizeof *box);
    box->value = 7;
    pthread_create(&one, NULL, frees, NULL);
    pthread_create(&two, NULL, uses, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
