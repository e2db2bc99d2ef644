/*
 * Publication in C++.
 *
 * fix: ready.store(1, std::memory_order_release)
 * fix: ready.load(std::memory_order_acquire)
 * fix: static std::atomic<int> ready;
 * not: std::atomic<int> data
 * hides
 */
#include "pair.h"

static int data;
static int ready;

static void *send(void *arg)
{
    data = 7;
    ready = 1;
    return arg;
}

static void *receive(void *arg)
{
    if (ready)
        assert(data == 7);
    return arg;
}

int main()
{
    run_pair(send, receive);
    return 0;
}
