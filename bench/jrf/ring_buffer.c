/* Lamport's queue for one producer and one consumer: the indices must be atomic. */
#include "two.h"

static int items[2];
static SHARED(int) head;
static SHARED(int) tail;

static void *produce(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        while (tail - head == 2)
            ;
        items[tail % 2] = i;
        tail = i;
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        while (head == tail)
            ;
        assert(items[head % 2] == i);
        head = i;
    }
    return arg;
}

int main(void)
{
    run_two(produce, consume);
    return 0;
}
