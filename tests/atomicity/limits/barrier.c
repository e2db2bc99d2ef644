/*
 * A unit that waits for the others at a barrier is not meant to be atomic across it.
 *
 * expect: set=grid unit=grid_step pattern=2,11,12
 *
 * Each thread reads its neighbour's cell, and then writes its own. With a barrier in between both
 * have read the old cells, whoever is first. Without it one reads the new; here it reads twice,
 * once too early.
 */
#include "../program.h"

#define ROUNDS 3

struct grid {
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    int cells[2];
};

static int grid_get(struct grid *grid, int i)
{
    pthread_mutex_lock(&grid->lock);
    int cell = grid->cells[i];
    pthread_mutex_unlock(&grid->lock);
    return cell;
}

static void grid_set(struct grid *grid, int i, int cell)
{
    pthread_mutex_lock(&grid->lock);
    grid->cells[i] = cell;
    pthread_mutex_unlock(&grid->lock);
}

bool grid_step(struct grid *grid, int i)
{
    int neighbour = grid_get(grid, 1 - i);
#ifdef REPAIRED
    pthread_barrier_wait(&grid->barrier);
    grid_set(grid, i, neighbour + 1);
    pthread_barrier_wait(&grid->barrier);
    return grid_get(grid, 1 - i) == neighbour + 1;
#else
    bool same = grid_get(grid, 1 - i) == neighbour;
    grid_set(grid, i, neighbour + 1);
    return same;
#endif
}

void grid_init(struct grid *grid)
{
    pthread_barrier_init(&grid->barrier, NULL, 2);
}

static struct grid grid = {.lock = MONITOR};
static bool wrong[2];

static void *left_half(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        if (!grid_step(&grid, 0))
            wrong[0] = true;
    return unused;
}

static void *right_half(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        if (!grid_step(&grid, 1))
            wrong[1] = true;
    return unused;
}

int main(void)
{
    struct job jobs[] = {{left_half, NULL}, {right_half, NULL}};

    grid_init(&grid);
    run_jobs(jobs, COUNT(jobs));
    assert(!wrong[0] && !wrong[1]);
    return 0;
}
