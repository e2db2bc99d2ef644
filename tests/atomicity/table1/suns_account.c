/*
 * Sun's account: a bank whose accounts can be read and written under a lock, but not changed.
 *
 * expect: set=account unit=account_add pattern=1
 *
 * Two transfers read the same balance, and the first to write it back loses its money.
 */
#include "../program.h"

#define ACCOUNTS 3

struct account {
    pthread_mutex_t lock;
    int balance;
};

int account_read(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}

void account_write(struct account *account, int balance)
{
    pthread_mutex_lock(&account->lock);
    account->balance = balance;
    pthread_mutex_unlock(&account->lock);
}

void account_add(struct account *account, int sum)
{
    repair_lock(&account->lock);
    account_write(account, account_read(account) + sum);
    repair_unlock(&account->lock);
}

struct transfer {
    struct account *from, *to;
    int sum;
};

static void *make_transfers(void *arg)
{
    struct transfer *me = arg;

    for (int i = 0; i < 2; i++) {
        account_add(me->from, -me->sum);
        account_add(me->to, me->sum);
    }
    return NULL;
}

static struct account bank[ACCOUNTS] = {{MONITOR, 100}, {MONITOR, 100}, {MONITOR, 100}};
static struct transfer transfers[] = {
    {&bank[0], &bank[1], 1}, {&bank[1], &bank[2], 10}, {&bank[2], &bank[0], 40}};

int main(void)
{
    struct job jobs[] = {{make_transfers, &transfers[0]},
                         {make_transfers, &transfers[1]},
                         {make_transfers, &transfers[2]}};
    int total = 0;

    run_jobs(jobs, COUNT(jobs));
    for (int i = 0; i < ACCOUNTS; i++)
        total += account_read(&bank[i]);
    assert(total == 100 * ACCOUNTS);
    return 0;
}
