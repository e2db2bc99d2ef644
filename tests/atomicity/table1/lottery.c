/*
 * Lottery: a number is drawn into a field all players share, and read from there twice.
 *
 * expect: set=lottery unit=player_play pattern=2,4
 *
 * Drawing and reading are locked; the next player's draw comes between. A player then has
 * another number in the books than on the ticket, or than was drawn.
 */
#include "../program.h"

struct lottery {
    pthread_mutex_t lock;
    int number;
};

struct player {
    struct lottery *lottery;
    int lucky;
    int booked, printed;
};

void lottery_draw(struct lottery *lottery, int number)
{
    pthread_mutex_lock(&lottery->lock);
    lottery->number = number;
    pthread_mutex_unlock(&lottery->lock);
}

int lottery_number(struct lottery *lottery)
{
    pthread_mutex_lock(&lottery->lock);
    int number = lottery->number;
    pthread_mutex_unlock(&lottery->lock);
    return number;
}

void player_play(struct lottery *lottery, struct player *me)
{
    repair_lock(&lottery->lock);
    lottery_draw(lottery, me->lucky);
    me->booked = lottery_number(lottery);
    me->printed = lottery_number(lottery);
    repair_unlock(&lottery->lock);
}

static void *play(void *arg)
{
    struct player *me = arg;

    player_play(me->lottery, me);
    return NULL;
}

static struct lottery lottery = {.lock = MONITOR};
static struct player players[] = {{&lottery, 7, 0, 0}, {&lottery, 13, 0, 0}, {&lottery, 42, 0, 0}};

int main(void)
{
    struct job jobs[] = {{play, &players[0]}, {play, &players[1]}, {play, &players[2]}};

    run_jobs(jobs, COUNT(jobs));
    for (int i = 0; i < COUNT(players); i++) {
        assert(players[i].booked == players[i].lucky);
        assert(players[i].printed == players[i].lucky);
    }
    return 0;
}
