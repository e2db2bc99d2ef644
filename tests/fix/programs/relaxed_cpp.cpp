/*
 * A std::atomic with relaxed accesses.
 *
 * fix: ready.store(true, std::memory_order_release)
 * fix: ready.load(std::memory_order_acquire)
 * hides
 */
#include <atomic>

#include "pair.h"

static int data;
static std::atomic<bool> ready;

static void *send(void *arg)
{
    data = 7;
    ready.store(true, std::memory_order_relaxed);
    return arg;
}

static void *receive(void *arg)
{
    if (ready.load(std::memory_order_relaxed))
        assert(data == 7);
    return arg;
}

int main()
{
    run_pair(send, receive);
    return 0;
}
