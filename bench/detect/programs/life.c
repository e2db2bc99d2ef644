/*
 * A cellular automaton ("Star Wars", rule 345/2/4) on a torus of one byte per cell. Each thread
 * owns a strip of columns, whose edges fall anywhere within a word; a frame of ghost cells,
 * refilled between two barriers, makes the torus.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include <string.h>

#define GENERATIONS 120
#define STATES 4
#define ALIVE 1

struct grid {
    int edge, stride;
    unsigned char *cells;
};

struct census {
    int alive, dying;
};

static int edge, n_threads;
static struct grid grids[2];
static struct census *partial;
static struct census history[GENERATIONS];
static unsigned char next_state[STATES][9];
static pthread_barrier_t barrier;

static void make_grid(struct grid *grid, int n)
{
    grid->edge = n;
    grid->stride = n + 2;
    grid->cells = calloc((size_t)grid->stride * grid->stride, 1);
}

/* The cell at (row, 0); the ghost cells are at -1 and edge, in both directions. */
static unsigned char *row_of(const struct grid *grid, int row)
{
    return grid->cells + (size_t)(row + 1) * grid->stride + 1;
}

static void make_rule(void)
{
    for (int state = 0; state < STATES; state++)
        for (int n = 0; n <= 8; n++) {
            int next;
            if (state == 0)
                next = n == 2 ? ALIVE : 0;
            else if (state == ALIVE)
                next = n >= 3 && n <= 5 ? ALIVE : ALIVE + 1;
            else
                next = (state + 1) % STATES;
            next_state[state][n] = (unsigned char)next;
        }
}

static void seed_strip(struct grid *grid, int row)
{
    uint32_t seed = 977u * (uint32_t)(row + 1);
    unsigned char *cells = row_of(grid, row);
    for (int column = 0; column < grid->edge; column++) {
        uint32_t dice = next_random(&seed) >> 8;
        cells[column] = dice % 3 == 0 ? (unsigned char)(1 + dice / 3 % (STATES - 1)) : 0;
    }
}

/* The two ghost columns first, then whole rows, so that the corners come out right. */
static void wrap(struct grid *grid)
{
    int n = grid->edge;
    for (int row = 0; row < n; row++) {
        unsigned char *cells = row_of(grid, row);
        cells[-1] = cells[n - 1];
        cells[n] = cells[0];
    }
    memcpy(row_of(grid, -1) - 1, row_of(grid, n - 1) - 1, (size_t)grid->stride);
    memcpy(row_of(grid, n) - 1, row_of(grid, 0) - 1, (size_t)grid->stride);
}

static int alive_in_column(const unsigned char *up, const unsigned char *at,
                           const unsigned char *down, int column)
{
    return (up[column] == ALIVE) + (at[column] == ALIVE) + (down[column] == ALIVE);
}

static struct census step_strip(const struct grid *from, struct grid *to, int left, int right)
{
    struct census census = {0, 0};
    for (int row = 0; row < from->edge; row++) {
        const unsigned char *up = row_of(from, row - 1);
        const unsigned char *at = row_of(from, row);
        const unsigned char *down = row_of(from, row + 1);
        unsigned char *out = row_of(to, row);
        int west = alive_in_column(up, at, down, left - 1);
        int here = alive_in_column(up, at, down, left);
        for (int column = left; column < right; column++) {
            int east = alive_in_column(up, at, down, column + 1);
            int neighbours = west + here + east - (at[column] == ALIVE);
            unsigned char next = next_state[at[column]][neighbours];
            out[column] = next;
            census.alive += next == ALIVE;
            census.dying += next > ALIVE;
            west = here;
            here = east;
        }
    }
    return census;
}

static void finish_generation(struct grid *grid, int generation)
{
    struct census sum = {0, 0};
    for (int i = 0; i < n_threads; i++) {
        sum.alive += partial[i].alive;
        sum.dying += partial[i].dying;
    }
    history[generation] = sum;
    wrap(grid);
}

static void *strip_owner(void *argument)
{
    int me = (int)(intptr_t)argument;
    int left = (int)((int64_t)edge * me / n_threads);
    int right = (int)((int64_t)edge * (me + 1) / n_threads);
    for (int generation = 0; generation < GENERATIONS; generation++) {
        struct grid *from = &grids[generation % 2], *to = &grids[1 - generation % 2];
        partial[me] = step_strip(from, to, left, right);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            finish_generation(to, generation);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static uint32_t checksum(const struct grid *grid)
{
    uint32_t hash = 2166136261u;
    for (int row = 0; row < grid->edge; row++)
        for (int column = 0; column < grid->edge; column++)
            hash = (hash ^ row_of(grid, row)[column]) * 16777619u;
    return hash;
}

int main(int argc, char **argv)
{
    edge = argument(argc, argv, 1, 509);
    n_threads = argument(argc, argv, 2, 2);
    make_rule();
    make_grid(&grids[0], edge);
    make_grid(&grids[1], edge);
    for (int row = 0; row < edge; row++)
        seed_strip(&grids[0], row);
    wrap(&grids[0]);
    partial = calloc((size_t)n_threads, sizeof *partial);
    pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
    run_threads(n_threads, strip_owner);
    uint64_t trace = 0;
    for (int i = 0; i < GENERATIONS; i++)
        trace = trace * 1000003 + (uint64_t)history[i].alive * 31 + (uint64_t)history[i].dying;
    struct census last = history[GENERATIONS - 1];
    printf("life %d %d %08x %016lx\n", last.alive, last.dying, checksum(&grids[GENERATIONS % 2]),
           (unsigned long)trace);
    pthread_barrier_destroy(&barrier);
    free(partial);
    free(grids[0].cells);
    free(grids[1].cells);
    return 0;
}
