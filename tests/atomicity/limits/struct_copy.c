/*
 * A struct that is copied in one go is read at all its locations.
 *
 * expect: set=place unit=place_move pattern=9,10
 *
 * The reader loads both coordinates by one access of eight bytes, the writer stores them by two.
 */
#include "../program.h"

struct point {
    int x, y;
};

struct place {
    pthread_mutex_t lock;
    struct point point;
};

void place_move(struct place *place, int to)
{
    repair_lock(&place->lock);
    pthread_mutex_lock(&place->lock);
    place->point.x = to;
    pthread_mutex_unlock(&place->lock);
    pthread_mutex_lock(&place->lock);
    place->point.y = to;
    pthread_mutex_unlock(&place->lock);
    repair_unlock(&place->lock);
}

struct point place_where(struct place *place)
{
    pthread_mutex_lock(&place->lock);
    struct point point = place->point;
    pthread_mutex_unlock(&place->lock);
    return point;
}

static struct place place = {.lock = MONITOR};
static bool on_the_way;

static void *move(void *unused)
{
    place_move(&place, 1);
    return unused;
}

static void *look(void *unused)
{
    struct point point = place_where(&place);

    on_the_way = point.x != point.y;
    return unused;
}

int main(void)
{
    struct job jobs[] = {{move, NULL}, {look, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(!on_the_way);
    return 0;
}
