// Every C11 operation with every order it may have: two threads share a counter each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int added, subtracted, ored, xored, anded = ~0, exchanged, swapped;

static const memory_order rmw_orders[] = {memory_order_relaxed, memory_order_consume,
                                          memory_order_acquire, memory_order_release,
                                          memory_order_acq_rel, memory_order_seq_cst};
enum { ORDERS = sizeof(rmw_orders) / sizeof(rmw_orders[0]) };

/* The switch keeps each order a constant in the generated code. */
#define WITH_ORDER(order, use)                                                                     \
    switch (order) {                                                                               \
    case memory_order_relaxed:                                                                     \
        use(memory_order_relaxed);                                                                 \
        break;                                                                                     \
    case memory_order_consume:                                                                     \
        use(memory_order_consume);                                                                 \
        break;                                                                                     \
    case memory_order_acquire:                                                                     \
        use(memory_order_acquire);                                                                 \
        break;                                                                                     \
    case memory_order_release:                                                                     \
        use(memory_order_release);                                                                 \
        break;                                                                                     \
    case memory_order_acq_rel:                                                                     \
        use(memory_order_acq_rel);                                                                 \
        break;                                                                                     \
    default:                                                                                       \
        use(memory_order_seq_cst);                                                                 \
    }

#define RMW_ALL(order)                                                                             \
    atomic_fetch_add_explicit(&added, 1, order);                                                   \
    atomic_fetch_sub_explicit(&subtracted, 1, order);                                              \
    atomic_fetch_or_explicit(&ored, bit, order);                                                   \
    atomic_fetch_xor_explicit(&xored, bit, order);                                                 \
    atomic_fetch_and_explicit(&anded, ~bit, order);                                                \
    atomic_exchange_explicit(&exchanged, bit, order)

static void compare_exchanges(void)
{
    int seen = atomic_load_explicit(&swapped, memory_order_relaxed);

    while (!atomic_compare_exchange_strong_explicit(&swapped, &seen, seen + 1, memory_order_relaxed,
                                                    memory_order_relaxed))
        continue;
    while (!atomic_compare_exchange_strong_explicit(&swapped, &seen, seen + 1, memory_order_acquire,
                                                    memory_order_acquire))
        continue;
    while (!atomic_compare_exchange_weak_explicit(&swapped, &seen, seen + 1, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    while (!atomic_compare_exchange_weak_explicit(&swapped, &seen, seen + 1, memory_order_acq_rel,
                                                  memory_order_acquire))
        continue;
    while (!atomic_compare_exchange_weak(&swapped, &seen, seen + 1))
        continue;
}

static void *work(void *arg)
{
    int first_bit = arg ? 8 : 0;

    for (int i = 0; i < ORDERS; i++) {
        int bit = 1 << (first_bit + i);
        WITH_ORDER(rmw_orders[i], RMW_ALL);
    }
    compare_exchanges();
    return NULL;
}

static void loads_and_stores(void)
{
    _Atomic int mine = 0;

    atomic_store_explicit(&mine, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&mine, memory_order_relaxed) == 1);
    atomic_store_explicit(&mine, 2, memory_order_release);
    assert(atomic_load_explicit(&mine, memory_order_consume) == 2);
    assert(atomic_load_explicit(&mine, memory_order_acquire) == 2);
    atomic_store(&mine, 3);
    assert(atomic_load(&mine) == 3);
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, &other);
    work(NULL);
    loads_and_stores();
    pthread_join(other, NULL);
    int bits = ((1 << ORDERS) - 1) * 0x101;
    assert(added == 2 * ORDERS && subtracted == -2 * ORDERS && swapped == 10);
    assert(ored == bits && xored == bits && anded == ~bits && (exchanged & bits) == exchanged);
    return 0;
}
