// no race
/* Like loaded_before, but a release fence and a relaxed operation publish. One location was
   published so before, by the same thread, one has had relaxed operations, and one shares its
   granule with a location to which the fence is published already. */
#include "../race.h"
#include <stdatomic.h>

int by_store, by_add, by_exchange, by_second, by_pair;
_Alignas(8) atomic_int store;
_Alignas(8) atomic_int add;
_Alignas(8) atomic_int exchange;
_Alignas(8) atomic_int second;
_Alignas(8) atomic_int pair[2];
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

static void release_fence(int *data)
{
    *data = 1;
    atomic_thread_fence(memory_order_release);
}

static void add_relaxed(atomic_int *place)
{
    atomic_fetch_add_explicit(place, 1, memory_order_relaxed);
}

static void *a(void *unused)
{
    int expected = 0;
    add_relaxed(&add);
    release_fence(&by_second);
    add_relaxed(&second);
    await_turn(1);
    release_fence(&by_second);
    add_relaxed(&second);
    release_fence(&by_store);
    atomic_store_explicit(&store, 1, memory_order_relaxed);
    release_fence(&by_add);
    add_relaxed(&add);
    release_fence(&by_exchange);
    atomic_compare_exchange_strong_explicit(&exchange, &expected, 1, memory_order_relaxed,
                                            memory_order_relaxed);
    release_fence(&by_pair);
    add_relaxed(&pair[0]);
    give_turn(2);
    await_turn(3);
    add_relaxed(&pair[1]);
    give_turn(4);
    return unused;
}

static int load(atomic_int *place)
{
    return atomic_load_explicit(place, memory_order_acquire);
}

static void *b(void *unused)
{
    atomic_int *all[] = {&store, &add, &exchange, &second};
    for (int i = 0; i < 8; i++)
        load(all[i % 4]);
    give_turn(1);
    await_turn(2);
    load(&pair[1]);
    load(&pair[1]);
    give_turn(3);
    await_turn(4);
    USE(load(&second) == 2 ? by_second : 0);
    USE(load(&store) ? by_store : 0);
    USE(load(&add) == 2 ? by_add : 0);
    USE(load(&exchange) ? by_exchange : 0);
    USE(load(&pair[1]) ? by_pair : 0);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
