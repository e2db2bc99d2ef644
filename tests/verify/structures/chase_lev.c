/* Chase and Lev's deque after Le, Pop, Cohen and Zappa Nardelli: the owner pushes and takes at the
   bottom, a thief steals at the top. Weakened: the fence between taking and looking at the top. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif
enum { SIZE = 4 };

static atomic_int top, bottom, items[SIZE], taken[3];

static void push(int item)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b % SIZE], item, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, item = 0;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(FENCE);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t <= b) {
        item = atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
        if (t != b)
            return item;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                     memory_order_relaxed))
            item = 0;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return 0;
    int item = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                   memory_order_relaxed)
               ? item
               : 0;
}

static void note(int item)
{
    if (item)
        assert(atomic_fetch_add_explicit(&taken[item], 1, memory_order_relaxed) == 0);
}

static void *thief(void *unused)
{
    note(steal());
    note(steal());
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, thief, NULL);
    push(1);
    push(2);
    note(take());
    note(take());
    pthread_join(one, NULL);
    return 0;
}
