// no race
/* Each location was loaded before by the thread that waits for it, in the same epoch: what it
   acquired then is out of date. `head` is stored to by the waiting thread, and then, by a relaxed
   operation, by the other one, which continues the release sequence of its first store. The threads
   take turns by relaxed operations: calls might begin a new epoch. */
#include "../race.h"
#include <stdatomic.h>

int by_store, by_add, by_exchange, by_head, by_failed;
_Alignas(8) atomic_int store;
_Alignas(8) atomic_int add;
_Alignas(8) atomic_int exchange;
_Alignas(8) atomic_int head;
_Alignas(8) atomic_int failed;
_Alignas(8) atomic_int turn;

static void give_turn(int to)
{
    atomic_store_explicit(&turn, to, memory_order_relaxed);
}

static void await_turn(int mine)
{
    while (atomic_load_explicit(&turn, memory_order_relaxed) != mine)
        ;
}

static void *a(void *unused)
{
    int expected = 0;
    by_head = 1;
    atomic_store_explicit(&head, 1, memory_order_release);
    give_turn(1);
    await_turn(2);
    atomic_fetch_add_explicit(&head, 1, memory_order_relaxed);
    by_failed = 1;
    atomic_store_explicit(&failed, 1, memory_order_release);
    by_store = 1;
    atomic_store_explicit(&store, 1, memory_order_release);
    by_add = 1;
    atomic_fetch_add_explicit(&add, 1, memory_order_release);
    by_exchange = 1;
    atomic_compare_exchange_strong_explicit(&exchange, &expected, 1, memory_order_release,
                                            memory_order_relaxed);
    give_turn(3);
    return unused;
}

static int load(atomic_int *place)
{
    return atomic_load_explicit(place, memory_order_acquire);
}

static void *b(void *unused)
{
    int expected = 0;
    await_turn(1);
    atomic_store_explicit(&head, 2, memory_order_release);
    atomic_int *all[] = {&store, &add, &exchange, &head};
    for (int i = 0; i < 8; i++)
        load(all[i % 4]);
    give_turn(2);
    await_turn(3);
    USE(load(&head) == 3 ? by_head : 0);
    atomic_fetch_add_explicit(&failed, 1, memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&failed, &expected, 1, memory_order_relaxed,
                                                 memory_order_acquire))
        USE(by_failed);
    USE(load(&store) ? by_store : 0);
    USE(load(&add) ? by_add : 0);
    USE(load(&exchange) ? by_exchange : 0);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
