// violation: fails the assertion
// A lock that is tried, and given up; alone, the thread should get it.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef EXCHANGE
#define EXCHANGE atomic_compare_exchange_weak
#endif
static atomic_int lock;

static bool try_lock(void)
{
    int free = 0;
    do {
        if (atomic_load(&lock))
            return false;
        if (EXCHANGE(&lock, &free, 1))
            return true;
    } while (free);
    return false;
}

int main(void)
{
    assert(try_lock());
    return 0;
}
