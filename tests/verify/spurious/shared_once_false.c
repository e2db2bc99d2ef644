// violation: fails the assertion
// Of two threads neither gets the place: a failure has read the expected value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef EXCHANGE
#define EXCHANGE atomic_compare_exchange_weak
#endif
static atomic_int owner;

static void *take(void *arg)
{
    int expected = 0;
    EXCHANGE(&owner, &expected, arg ? 1 : 2);
    return arg;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, take, &owner);
    take(NULL);
    pthread_join(one, NULL);
    assert(owner);
    return 0;
}
