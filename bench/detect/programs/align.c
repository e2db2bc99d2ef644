/*
 * Local alignment of two DNA sequences (Smith-Waterman, affine gaps) as a wavefront: a band of
 * rows at a time is one thread's, which follows the band above it, tile by tile, waiting on a
 * condition variable. The row between two bands is kept in place, in arrays all bands share.
 */
#include "bench.h"
#include <stdbool.h>
#include <string.h>

#define BAND 64
#define TILE 192
#define MATCH 5
#define MISMATCH (-4)
#define GAP_OPEN 8
#define GAP_EXTEND 1
#define MINUS_INFINITY (-1000000)

struct best {
    int score, row, column;
};

struct band {
    pthread_mutex_t mutex;
    pthread_cond_t advanced;
    int tiles_done;
    struct best best;
};

/* What flows into a row of a tile from the left. */
struct left_edge {
    int score[BAND], gap[BAND];
    int corner; /* the score above and to the left of the tile */
};

static int length, n_bands, n_tiles;
static char *sequence_a, *sequence_b;
static int *edge_score, *edge_gap; /* bottom row of the last band that passed, by column */
static struct band *bands;
static int substitution[4][4];
static pthread_mutex_t bands_mutex = PTHREAD_MUTEX_INITIALIZER;
static int next_band;

static int take_band(void)
{
    pthread_mutex_lock(&bands_mutex);
    int band = next_band < n_bands ? next_band++ : -1;
    pthread_mutex_unlock(&bands_mutex);
    return band;
}

static void wait_for_tile(struct band *band, int tile)
{
    pthread_mutex_lock(&band->mutex);
    while (band->tiles_done <= tile)
        pthread_cond_wait(&band->advanced, &band->mutex);
    pthread_mutex_unlock(&band->mutex);
}

static void announce_tile(struct band *band)
{
    pthread_mutex_lock(&band->mutex);
    band->tiles_done++;
    pthread_cond_signal(&band->advanced);
    pthread_mutex_unlock(&band->mutex);
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

static bool better(struct best a, struct best b)
{
    if (a.score != b.score)
        return a.score > b.score;
    return a.row != b.row ? a.row < b.row : a.column < b.column;
}

/* Column by column, so that only the left edge and one value from above are needed. */
static void fill_tile(int top, int bottom, int from, int to, struct left_edge *left,
                      struct best *best)
{
    for (int column = from; column < to; column++) {
        const int *scores = substitution[(int)sequence_b[column]];
        int diagonal = left->corner;
        int above = edge_score[column], down_gap = edge_gap[column];
        left->corner = above;
        for (int row = top; row < bottom; row++) {
            int i = row - top;
            int across_gap = max(left->score[i] - GAP_OPEN, left->gap[i] - GAP_EXTEND);
            down_gap = max(above - GAP_OPEN, down_gap - GAP_EXTEND);
            int score = max(0, diagonal + scores[(int)sequence_a[row]]);
            score = max(score, max(across_gap, down_gap));
            diagonal = left->score[i];
            left->score[i] = above = score;
            left->gap[i] = across_gap;
            if (score >= best->score) {
                struct best candidate = {score, row, column};
                if (better(candidate, *best))
                    *best = candidate;
            }
        }
        edge_score[column] = above;
        edge_gap[column] = down_gap;
    }
}

static void align_band(int index)
{
    struct band *band = &bands[index];
    struct left_edge left;
    int top = index * BAND;
    int bottom = top + BAND < length ? top + BAND : length;
    left.corner = 0;
    for (int i = 0; i < BAND; i++) {
        left.score[i] = 0;
        left.gap[i] = MINUS_INFINITY;
    }
    struct best best = {0, length, length};
    for (int tile = 0; tile < n_tiles; tile++) {
        int from = tile * TILE, to = from + TILE < length ? from + TILE : length;
        if (index > 0)
            wait_for_tile(&bands[index - 1], tile);
        fill_tile(top, bottom, from, to, &left, &best);
        announce_tile(band);
    }
    band->best = best;
}

static void *worker(void *unused)
{
    (void)unused;
    for (int band; (band = take_band()) >= 0;)
        align_band(band);
    return NULL;
}

/* The second sequence holds mutated pieces of the first one between random stretches. */
static void make_sequences(void)
{
    uint32_t seed = 4711;
    for (int i = 0; i < length; i++)
        sequence_a[i] = (char)(next_random(&seed) >> 5 & 3);
    for (int i = 0; i < length;) {
        int n = 50 + (int)(next_random(&seed) % 300);
        int source = (int)(next_random(&seed) % (uint32_t)length);
        bool copied = (seed >> 9) % 3 != 0;
        for (int k = 0; k < n && i < length; k++, i++) {
            uint32_t dice = next_random(&seed) >> 4;
            if (copied && dice % 23 == 0)
                source++;
            sequence_b[i] = copied && dice % 11 != 0 ? sequence_a[(source + k) % length]
                                                     : (char)(dice >> 8 & 3);
        }
    }
}

int main(int argc, char **argv)
{
    length = argument(argc, argv, 1, 4200);
    int n_threads = argument(argc, argv, 2, 2);
    n_bands = (length + BAND - 1) / BAND;
    n_tiles = (length + TILE - 1) / TILE;
    sequence_a = malloc((size_t)length);
    sequence_b = malloc((size_t)length);
    make_sequences();
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            substitution[a][b] = a == b ? MATCH : MISMATCH + (a + b == 3);
    edge_score = calloc((size_t)length, sizeof *edge_score);
    edge_gap = malloc((size_t)length * sizeof *edge_gap);
    for (int i = 0; i < length; i++)
        edge_gap[i] = MINUS_INFINITY;
    bands = calloc((size_t)n_bands, sizeof *bands);
    for (int i = 0; i < n_bands; i++) {
        pthread_mutex_init(&bands[i].mutex, NULL);
        pthread_cond_init(&bands[i].advanced, NULL);
    }
    run_threads(n_threads, worker);
    struct best best = bands[0].best;
    uint64_t trace = 0;
    for (int i = 0; i < n_bands; i++) {
        trace = trace * 1000003 + (uint64_t)bands[i].best.score * 64 + (uint64_t)bands[i].best.row;
        if (better(bands[i].best, best))
            best = bands[i].best;
        pthread_mutex_destroy(&bands[i].mutex);
        pthread_cond_destroy(&bands[i].advanced);
    }
    for (int i = 0; i < length; i++)
        trace = trace * 31 + (uint64_t)edge_score[i];
    printf("align %d %d %d %016lx\n", best.score, best.row, best.column, (unsigned long)trace);
    free(bands);
    free(edge_score);
    free(edge_gap);
    free(sequence_a);
    free(sequence_b);
    return 0;
}
