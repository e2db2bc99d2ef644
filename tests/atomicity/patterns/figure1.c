/*
 * Figure 1 of the paper: a transfer between two fields, and a counter of operations.
 *
 * expect: nothing
 * expect conflict: unit=account_transfer pattern=1,2,3,4,5
 *
 * transfer() holds the account's lock throughout, and counts twice under the counter's own. When
 * another thread counts in between, the account is consistent and so is the counter, but no
 * serial order of the two threads has the same conflicts.
 */
#include "../program.h"

#include "../../races/race.h"

struct account {
    pthread_mutex_t lock;
    int checking, savings;
};

static pthread_mutex_t counter_lock = MONITOR;
static int operations;

void count_operation(void)
{
    pthread_mutex_lock(&counter_lock);
    operations++;
    pthread_mutex_unlock(&counter_lock);
}

void account_transfer(struct account *account, int sum)
{
    pthread_mutex_lock(&account->lock);
    account->checking += sum;
    count_operation();
    done(1);
    after(2);
    account->savings -= sum;
    count_operation();
    pthread_mutex_unlock(&account->lock);
}

static struct account account = {.lock = MONITOR};

static void *transfer(void *unused)
{
    account_transfer(&account, 10);
    return unused;
}

static void *count(void *unused)
{
    after(1);
    count_operation();
    done(2);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{transfer, NULL}, {count, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(operations == 3);
    return 0;
}
