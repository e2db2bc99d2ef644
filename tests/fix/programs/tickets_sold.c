/*
 * The airline: seats left are looked at, then one is sold, in two sections.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&sell_lock);
 * nothing to hide: no race
 */
#include "pair.h"

struct flight {
    pthread_mutex_t lock;
    int seats, sold;
};

static struct flight flight = {.lock = PTHREAD_MUTEX_INITIALIZER, .seats = 1};

int seats_left(struct flight *f)
{
    pthread_mutex_lock(&f->lock);
    int left = f->seats - f->sold;
    pthread_mutex_unlock(&f->lock);
    return left;
}

void take_seat(struct flight *f)
{
    pthread_mutex_lock(&f->lock);
    f->sold++;
    pthread_mutex_unlock(&f->lock);
}

void sell(struct flight *f)
{
    if (seats_left(f) > 0)
        take_seat(f);
}

static void *agent(void *arg)
{
    sell(&flight);
    return arg;
}

int main(void)
{
    run_pair(agent, agent);
    return flight.sold > flight.seats;
}
