/* Travelling salesman by branch and bound: tours of three cities from a queue, the best
   length under a lock. */
#include "bench.h"
#include <limits.h>

#define MAX 16

static int n, n_threads;
static int distance[MAX][MAX];
static int next_task, best = INT_MAX;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t best_lock = PTHREAD_MUTEX_INITIALIZER;

struct tour {
    int cities[MAX];
    int n, length;
    unsigned visited;
};

static int current_best(void)
{
    pthread_mutex_lock(&best_lock);
    int value = best;
    pthread_mutex_unlock(&best_lock);
    return value;
}

static void offer(int length)
{
    pthread_mutex_lock(&best_lock);
    if (length < best)
        best = length;
    pthread_mutex_unlock(&best_lock);
}

static void search(struct tour *tour, int bound)
{
    int last = tour->cities[tour->n - 1];
    if (tour->length >= bound)
        return;
    if (tour->n == n) {
        offer(tour->length + distance[last][0]);
        return;
    }
    if (tour->n <= n - 7)
        bound = current_best();
    for (int city = 1; city < n; city++) {
        if (tour->visited & 1u << city)
            continue;
        tour->cities[tour->n++] = city;
        tour->visited |= 1u << city;
        tour->length += distance[last][city];
        search(tour, bound);
        tour->length -= distance[last][city];
        tour->visited &= ~(1u << city);
        tour->n--;
    }
}

static int start_tour(struct tour *tour, int task)
{
    int a = 1 + task / (n - 1), b = 1 + task % (n - 1);
    if (a == b)
        return 0;
    *tour = (struct tour){{0, a, b}, 3, distance[0][a] + distance[a][b], 1u | 1u << a | 1u << b};
    return 1;
}

static void *worker(void *argument)
{
    struct tour *tour = malloc(sizeof *tour);
    (void)argument;
    for (;;) {
        pthread_mutex_lock(&queue_lock);
        int task = next_task++;
        pthread_mutex_unlock(&queue_lock);
        if (task >= (n - 1) * (n - 1))
            break;
        if (start_tour(tour, task))
            search(tour, current_best());
    }
    free(tour);
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 13);
    n_threads = argument(argc, argv, 2, 2);
    uint32_t seed = 5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            distance[i][j] = 10 + next_random(&seed) % 90;
    run_threads(n_threads, worker);
    printf("tsp %d\n", best);
    return 0;
}
