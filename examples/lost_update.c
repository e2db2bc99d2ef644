/*
 * Lost update: two threads add to a counter without a lock.
 *
 * Each `balance = balance + amount` is a read and a write. When the other thread's
 * write falls between them, it is lost, and the money with it. An ordinary test
 * almost never sees this; sequential consistency is enough to show it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int balance;

static void *deposit(void *arg)
{
    int amount = *(int *)arg;

    for (int i = 0; i < 3; i++)
        balance = balance + amount;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int amounts[2] = {1, 10};

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, deposit, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("balance %d\n", balance);
    assert(balance == 33);
    return 0;
}
