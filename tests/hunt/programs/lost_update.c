/*
 * Two threads add to a counter without a lock.
 *
 * hunt: balance destructive sc
 */
#include <assert.h>
#include <pthread.h>

static int balance;

static void *deposit(void *arg)
{
    for (int i = 0; i < 3; i++)
        balance = balance + 1;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, deposit, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(balance == 6);
    return 0;
}
