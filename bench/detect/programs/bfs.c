/* Breadth-first search, level by level, over a skewed graph; visited vertices in an atomic bitmap.
 */
#include "bench.h"
#include <stdatomic.h>
#include <string.h>

#define CHUNK 64

struct frontier {
    int *vertices;
    int n;
};

static int n_vertices, n_edges, n_threads, n_searches;
static int *offsets, *targets, *levels, *frontier;
static int n_frontier;
static atomic_int taken;
static _Atomic uint64_t *visited;
static struct frontier next[64];
static pthread_barrier_t barrier;
static uint64_t sum;

/* Low numbers are more likely, as in a social network. */
static int skewed(uint32_t *seed)
{
    uint64_t a = next_random(seed) % n_vertices, b = next_random(seed) % n_vertices;
    return (int)(a * b / n_vertices);
}

static void make_graph(void)
{
    int *from = malloc(n_edges * sizeof *from), *to = malloc(n_edges * sizeof *to);
    uint32_t seed = 2024;
    for (int i = 0; i < n_edges; i++) {
        from[i] = (int)(next_random(&seed) % n_vertices);
        to[i] = skewed(&seed);
        offsets[from[i] + 1]++;
    }
    for (int i = 0; i < n_vertices; i++)
        offsets[i + 1] += offsets[i];
    int *at = malloc(n_vertices * sizeof *at);
    memcpy(at, offsets, n_vertices * sizeof *at);
    for (int i = 0; i < n_edges; i++)
        targets[at[from[i]]++] = to[i];
    free(at);
    free(from);
    free(to);
}

static int claim(int vertex)
{
    uint64_t bit = (uint64_t)1 << vertex % 64;
    if (atomic_load_explicit(&visited[vertex / 64], memory_order_relaxed) & bit)
        return 0;
    return !(atomic_fetch_or_explicit(&visited[vertex / 64], bit, memory_order_relaxed) & bit);
}

static void expand(int vertex, int level, struct frontier *mine)
{
    for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++)
        if (claim(targets[i])) {
            levels[targets[i]] = level;
            mine->vertices[mine->n++] = targets[i];
        }
}

static void take_chunks(int level, struct frontier *mine)
{
    for (int at;
         (at = atomic_fetch_add_explicit(&taken, CHUNK, memory_order_relaxed)) < n_frontier;)
        for (int i = at; i < at + CHUNK && i < n_frontier; i++)
            expand(frontier[i], level, mine);
}

static void gather(void)
{
    n_frontier = 0;
    for (int i = 0; i < n_threads; i++) {
        memcpy(frontier + n_frontier, next[i].vertices, next[i].n * sizeof *frontier);
        n_frontier += next[i].n;
        next[i].n = 0;
    }
    atomic_store_explicit(&taken, 0, memory_order_relaxed);
}

static void begin(int source)
{
    for (int i = 0; i <= n_vertices / 64; i++)
        atomic_store_explicit(&visited[i], 0, memory_order_relaxed);
    memset(levels, 0, n_vertices * sizeof *levels);
    claim(source);
    frontier[0] = source;
    n_frontier = 1;
    atomic_store_explicit(&taken, 0, memory_order_relaxed);
}

static uint64_t checksum(void)
{
    uint64_t all = 0;
    for (int i = 0; i < n_vertices; i++)
        all = all * 3 + levels[i];
    return all;
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    for (int search = 0; search < n_searches; search++) {
        if (id == 0)
            begin(search * 37 + 1);
        pthread_barrier_wait(&barrier);
        for (int level = 1; n_frontier; level++) {
            take_chunks(level, &next[id]);
            pthread_barrier_wait(&barrier);
            if (id == 0)
                gather();
            pthread_barrier_wait(&barrier);
        }
        if (id == 0)
            sum = sum * 31 + checksum();
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n_searches = argument(argc, argv, 1, 12);
    n_threads = argument(argc, argv, 2, 2);
    n_vertices = 100000;
    n_edges = 1200000;
    offsets = calloc(n_vertices + 1, sizeof *offsets);
    targets = malloc(n_edges * sizeof *targets);
    levels = malloc(n_vertices * sizeof *levels);
    frontier = malloc(n_vertices * sizeof *frontier);
    visited = calloc(n_vertices / 64 + 1, sizeof *visited);
    for (int i = 0; i < n_threads; i++)
        next[i].vertices = malloc(n_vertices * sizeof(int));
    make_graph();
    pthread_barrier_init(&barrier, NULL, n_threads);
    run_threads(n_threads, worker);
    printf("bfs %lu\n", (unsigned long)sum);
    return 0;
}
