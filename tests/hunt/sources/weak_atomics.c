/* Store buffering on atomics: no data race, and wrong under tso. -DSTRONG: right. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef STRONG
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif
static atomic_int left, right;
static int saw[2];

static void *from_left(void *unused)
{
    atomic_store_explicit(&left, 1, ORDER);
    saw[0] = atomic_load_explicit(&right, ORDER);
    return unused;
}

static void *from_right(void *unused)
{
    atomic_store_explicit(&right, 1, ORDER);
    saw[1] = atomic_load_explicit(&left, ORDER);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, from_left, 0);
    pthread_create(&threads[1], 0, from_right, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(saw[0] || saw[1]);
    return 0;
}
