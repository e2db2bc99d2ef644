/*
 * PingPong: a player puts the ball on the table, hits it there and takes it away.
 *
 * expect: set=table unit=table_rally pattern=1,2,3,4,5
 *
 * Each of the three is locked. A second player's ball comes between, or the first takes away
 * what the second is about to hit.
 */
#include "../program.h"

struct ball {
    int hits;
};

struct table {
    pthread_mutex_t lock;
    struct ball *ball;
};

struct player {
    struct table *table;
    struct ball ball;
    int misses;
};

void table_put(struct table *table, struct ball *ball)
{
    pthread_mutex_lock(&table->lock);
    table->ball = ball;
    pthread_mutex_unlock(&table->lock);
}

bool table_hit(struct table *table, struct ball *ball)
{
    pthread_mutex_lock(&table->lock);
    bool there = table->ball == ball;
    if (there)
        ball->hits++;
    pthread_mutex_unlock(&table->lock);
    return there;
}

bool table_take(struct table *table, struct ball *ball)
{
    pthread_mutex_lock(&table->lock);
    bool there = table->ball == ball;
    table->ball = NULL;
    pthread_mutex_unlock(&table->lock);
    return there;
}

/* True if the ball was where it should be all the time. */
bool table_rally(struct table *table, struct ball *ball)
{
    repair_lock(&table->lock);
    table_put(table, ball);
    bool hit = table_hit(table, ball);
    bool taken = table_take(table, ball);
    repair_unlock(&table->lock);
    return hit && taken;
}

static void *play(void *arg)
{
    struct player *me = arg;

    for (int i = 0; i < 2; i++)
        if (!table_rally(me->table, &me->ball))
            me->misses++;
    return NULL;
}

static struct table table = {.lock = MONITOR};
static struct player players[] = {{&table, {0}, 0}, {&table, {0}, 0}};

int main(void)
{
    struct job jobs[] = {{play, &players[0]}, {play, &players[1]}};

    run_jobs(jobs, COUNT(jobs));
    assert(players[0].misses + players[1].misses == 0);
    return 0;
}
