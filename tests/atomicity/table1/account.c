/*
 * account: a transfer locks the account it takes from, and not the one it gives to.
 *
 * expect: set=account unit=account_transfer pattern=1
 *
 * What is deposited between the read and the write of the receiving balance is lost.
 */
#include "../program.h"

struct account {
    pthread_mutex_t lock;
    int balance;
};

void account_deposit(struct account *account, int sum)
{
    pthread_mutex_lock(&account->lock);
    account->balance += sum;
    pthread_mutex_unlock(&account->lock);
}

void account_transfer(struct account *from, struct account *to, int sum)
{
    pthread_mutex_lock(&from->lock);
    from->balance -= sum;
    repair_lock(&to->lock);
    to->balance += sum;
    repair_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

int account_balance(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}

static struct account giro = {.lock = MONITOR}, savings = {.lock = MONITOR};

static void *deposit(void *unused)
{
    for (int i = 0; i < 3; i++)
        account_deposit(&savings, 1);
    return unused;
}

static void *transfer(void *unused)
{
    for (int i = 0; i < 3; i++)
        account_transfer(&giro, &savings, 10);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{deposit, NULL}, {transfer, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(account_balance(&giro) == -30);
    assert(account_balance(&savings) == 33);
    return 0;
}
