/* Linux's old read-write lock: a reader takes one, a writer takes all; who finds too little left
   gives it back, waits and tries again. Weakened: a writer's unlocking is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
enum { ALL = 0x100000 };

static atomic_int free_shares = ALL;
static int x, y;

static void read_lock(void)
{
    while (atomic_fetch_sub_explicit(&free_shares, 1, memory_order_acquire) <= 0) {
        atomic_fetch_add_explicit(&free_shares, 1, memory_order_relaxed);
        while (atomic_load_explicit(&free_shares, memory_order_relaxed) <= 0)
            continue;
    }
}

static void read_unlock(void)
{
    atomic_fetch_add_explicit(&free_shares, 1, memory_order_release);
}

static void write_lock(void)
{
    while (atomic_fetch_sub_explicit(&free_shares, ALL, memory_order_acquire) != ALL) {
        atomic_fetch_add_explicit(&free_shares, ALL, memory_order_relaxed);
        while (atomic_load_explicit(&free_shares, memory_order_relaxed) != ALL)
            continue;
    }
}

static void write_unlock(void)
{
    atomic_fetch_add_explicit(&free_shares, ALL, ORDER(memory_order_release));
}

static void *reader(void *unused)
{
    read_lock();
    assert(x == y);
    read_unlock();
    return unused;
}

static void *writer(void *unused)
{
    write_lock();
    x++;
    y++;
    write_unlock();
    return unused;
}

int main(void)
{
    pthread_t threads[READERS + WRITERS];
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert(x == WRITERS && y == WRITERS);
    return 0;
}
