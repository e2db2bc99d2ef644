/* Monte Carlo: paths of a random walk in a buffer of the thread's own, results into shared
   slots, the sum under a lock. */
#include "bench.h"
#include <math.h>

#define PATH 1000

static int n, n_threads;
static double *results, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void walk(double *path, uint32_t *seed)
{
    path[0] = 100;
    for (int i = 1; i < PATH; i++)
        path[i] = path[i - 1] * (1 + ((int)(next_random(seed) % 2001) - 1000) * 1e-5);
}

static double spread(const double *path)
{
    double sum = 0, squares = 0;
    for (int i = 1; i < PATH; i++) {
        double change = path[i] / path[i - 1] - 1;
        sum += change;
        squares += change * change;
    }
    return sqrt((squares - sum * sum / PATH) / PATH);
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    double *path = malloc(PATH * sizeof *path);
    for (int i = id; i < n; i += n_threads) {
        uint32_t seed = 1000 + i;
        walk(path, &seed);
        results[i] = spread(path);
        pthread_mutex_lock(&lock);
        total += results[i];
        pthread_mutex_unlock(&lock);
    }
    free(path);
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 20000);
    n_threads = argument(argc, argv, 2, 2);
    results = malloc(n * sizeof *results);
    run_threads(n_threads, worker);
    printf("montecarlo %.6f\n", total);
    return 0;
}
