/*
 * A ring of one producer and one consumer: the index says what is in it.
 *
 * fix: _Atomic
 * fix: memory_order_release
 * fix: memory_order_acquire
 * hides
 */
#include "pair.h"

enum { SIZE = 4 };
static int slots[SIZE];
static unsigned head;

static void *producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        slots[head % SIZE] = i;
        head = head + 1;
    }
    return arg;
}

static void *consumer(void *arg)
{
    unsigned n = head;
    for (unsigned i = 0; i < n; i++)
        assert(slots[i % SIZE] == (int)i + 1);
    return arg;
}

int main(void)
{
    run_pair(producer, consumer);
    return 0;
}
