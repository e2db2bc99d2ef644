/*
 * rw_lock.h - a read-write lock under test: READERS threads look at two variables, WRITERS change
 * both. The program defines the four functions; compiled with -DWEAK, ORDER makes one memory order
 * relaxed.
 */
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

static int x, y;
static void read_lock(void);
static void read_unlock(void);
static void write_lock(void);
static void write_unlock(void);

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
