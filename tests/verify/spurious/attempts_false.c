// violation: fails the assertion
// A loop that counts its attempts does not repeat its state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef EXCHANGE
#define EXCHANGE atomic_compare_exchange_weak
#endif
static atomic_int x;

static void *add(void *arg)
{
    int old = atomic_load(&x), tries = 0;
    while (!EXCHANGE(&x, &old, old + 1))
        tries++;
    assert(tries < 2);
    return arg;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, add, NULL);
    add(NULL);
    pthread_join(one, NULL);
    return 0;
}
