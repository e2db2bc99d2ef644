/*
 * A counter in C++.
 *
 * fix: count.fetch_add(1, std::memory_order_relaxed)
 * fix: static std::atomic<int> count{0};
 * hides
 */
#include "pair.h"

static int count = 0;

static void *work(void *arg)
{
    count++;
    return arg;
}

int main()
{
    run_pair(work, work);
    assert(count == 2);
    return 0;
}
