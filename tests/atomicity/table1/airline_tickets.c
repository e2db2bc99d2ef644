/*
 * airlinesTckts: clerks sell seats, and stop when one of them finds that the last is gone.
 *
 * expect: set=airline unit=airline_sell pattern=1,2,4,7,8,10,12,13,14
 *
 * The look at the sign, the sale and the change of the sign are not one step. With one seat
 * left, two clerks sell it. The original does not lock at all.
 */
#include "../program.h"

struct airline {
    pthread_mutex_t lock;
    int seats;
    int sold;
    bool closed;
};

struct clerk {
    struct airline *airline;
    int tickets;
};

bool airline_sell(struct airline *airline)
{
    bool sold = false;

    repair_lock(&airline->lock);
    if (!airline->closed) {
        airline->sold++;
        sold = true;
        if (airline->sold == airline->seats)
            airline->closed = true;
    }
    repair_unlock(&airline->lock);
    return sold;
}

static void *serve(void *arg)
{
    struct clerk *me = arg;

    if (airline_sell(me->airline))
        me->tickets++;
    return NULL;
}

static struct airline airline = {.lock = MONITOR, .seats = 1};
static struct clerk clerks[] = {{&airline, 0}, {&airline, 0}, {&airline, 0}};

int main(void)
{
    struct job jobs[] = {{serve, &clerks[0]}, {serve, &clerks[1]}, {serve, &clerks[2]}};

    run_jobs(jobs, COUNT(jobs));
    assert(clerks[0].tickets + clerks[1].tickets + clerks[2].tickets == 1);
    return 0;
}
