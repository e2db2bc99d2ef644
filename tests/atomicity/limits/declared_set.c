/*
 * A declared set may span objects that have nothing to do with each other by themselves.
 *
 * expect: set=books unit=move pattern=9,10,11,12
 *
 * Money moves between two purses, each of which is always right. Only the declaration says that
 * their sum matters.
 */
#include "../program.h"

#include <stalemate.h>

struct purse {
    int money;
};

static pthread_mutex_t lock = MONITOR;
static struct purse mine = {10}, yours;

void move(struct purse *from, struct purse *to)
{
    repair_lock(&lock);
    pthread_mutex_lock(&lock);
    from->money -= 5;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    to->money += 5;
    pthread_mutex_unlock(&lock);
    repair_unlock(&lock);
}

int sum(struct purse *one, struct purse *other)
{
    pthread_mutex_lock(&lock);
    int money = one->money + other->money;
    pthread_mutex_unlock(&lock);
    return money;
}

static bool right = true;

static void *spend(void *unused)
{
    move(&mine, &yours);
    return unused;
}

static void *count(void *unused)
{
    right = sum(&mine, &yours) == 10;
    return unused;
}

int main(void)
{
    struct job jobs[] = {{spend, NULL}, {count, NULL}};

#ifndef UNDECLARED
    stalemate_atomic_set(&mine, sizeof mine, "books");
    stalemate_atomic_set(&yours, sizeof yours, "books");
#endif
    run_jobs(jobs, COUNT(jobs));
    assert(right);
    return 0;
}
