/*
 * Every access is under the lock, but looking and paying are two sections: one lock over both
 * steps.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&withdraw_lock);
 * fix: pthread_mutex_unlock(&withdraw_lock);
 * nothing to hide: no race
 */
#include "pair.h"

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account = {.lock = PTHREAD_MUTEX_INITIALIZER, .balance = 100};

int balance_of(struct account *a)
{
    pthread_mutex_lock(&a->lock);
    int balance = a->balance;
    pthread_mutex_unlock(&a->lock);
    return balance;
}

void pay(struct account *a, int sum)
{
    pthread_mutex_lock(&a->lock);
    a->balance -= sum;
    pthread_mutex_unlock(&a->lock);
}

void withdraw(struct account *a, int sum)
{
    if (balance_of(a) >= sum)
        pay(a, sum);
}

static void *customer(void *arg)
{
    withdraw(&account, 80);
    return arg;
}

int main(void)
{
    run_pair(customer, customer);
    return account.balance < 0;
}
