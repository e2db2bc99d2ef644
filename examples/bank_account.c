/*
 * Bank account: no race, and still not atomic.
 *
 * Every access is under the lock, so no race detector has anything to say. But the lock is let go
 * between looking at the balance and taking the money: two that both have seen enough take it
 * twice. Looking and taking are one unit of work on the account, and should be one critical
 * section, as they are with -DREPAIRED. (Units of work are functions with external linkage: what
 * others may call.)
 */
#include <pthread.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    int balance, paid;
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
    a->paid += sum;
    pthread_mutex_unlock(&a->lock);
}

#ifdef REPAIRED
void withdraw(struct account *a, int sum)
{
    pthread_mutex_lock(&a->lock);
    if (a->balance >= sum) {
        a->balance -= sum;
        a->paid += sum;
    }
    pthread_mutex_unlock(&a->lock);
}
#else
void withdraw(struct account *a, int sum)
{
    if (balance_of(a) >= sum)
        pay(a, sum);
}
#endif

static void *customer(void *arg)
{
    withdraw(arg, 80);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, customer, &account);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("paid %d\n", account.paid);
    return account.balance < 0;
}
