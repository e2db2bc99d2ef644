/* Read-write lock in one word: readers count up, a writer takes it whole. Weakened: a writer's
   unlocking is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif

static atomic_int state; /* readers, or -1 */
static int x, y;

static void *write_both(void *unused)
{
    int free_state = 0;
    while (!atomic_compare_exchange_strong_explicit(&state, &free_state, -1, memory_order_acquire,
                                                    memory_order_relaxed))
        free_state = 0;
    x++;
    y++;
    atomic_store_explicit(&state, 0, ORDER(memory_order_release));
    return unused;
}

static void *read_both(void *unused)
{
    int seen;
    do
        while ((seen = atomic_load_explicit(&state, memory_order_relaxed)) < 0)
            continue;
    while (!atomic_compare_exchange_strong_explicit(&state, &seen, seen + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    assert(x == y);
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, read_both, NULL);
    pthread_create(&threads[1], NULL, write_both, NULL);
    pthread_create(&threads[2], NULL, read_both, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(x == 1 && y == 1);
    return 0;
}
