/* A thread pool whose tasks have futures; who waits for one runs others. It sorts by merging. */
#include "bench.h"
#include <stdbool.h>
#include <string.h>

struct future {
    void (*run)(void *);
    void *argument;
    bool done; /* under the pool's lock */
    struct future *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct future *tasks; /* newest first */
    bool stopping;
};

struct sort {
    int *data, *scratch;
    int n;
};

static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, false};

static void submit(struct future *future)
{
    pthread_mutex_lock(&pool.lock);
    future->next = pool.tasks;
    pool.tasks = future;
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

/* With the lock held; it is released while the task runs. */
static void run_one(void)
{
    struct future *task = pool.tasks;
    pool.tasks = task->next;
    pthread_mutex_unlock(&pool.lock);
    task->run(task->argument);
    pthread_mutex_lock(&pool.lock);
    task->done = true;
    pthread_cond_broadcast(&pool.changed);
}

static void await(struct future *future)
{
    pthread_mutex_lock(&pool.lock);
    while (!future->done) {
        if (pool.tasks)
            run_one();
        else
            pthread_cond_wait(&pool.changed, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    while (!pool.stopping) {
        if (pool.tasks)
            run_one();
        else
            pthread_cond_wait(&pool.changed, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

static void insertion_sort(int *data, int n)
{
    for (int i = 1; i < n; i++) {
        int value = data[i], at = i;
        for (; at > 0 && data[at - 1] > value; at--)
            data[at] = data[at - 1];
        data[at] = value;
    }
}

static void merge(const int *data, int half, int n, int *to)
{
    int left = 0, right = half;
    for (int i = 0; i < n; i++)
        to[i] =
            right == n || (left < half && data[left] <= data[right]) ? data[left++] : data[right++];
}

static void sort(void *argument)
{
    struct sort *job = argument;
    if (job->n <= 24) {
        insertion_sort(job->data, job->n);
        return;
    }
    int half = job->n / 2;
    struct sort left = {job->data, job->scratch, half};
    struct sort right = {job->data + half, job->scratch + half, job->n - half};
    struct future future = {sort, &left, false, NULL};
    if (job->n > 2000)
        submit(&future);
    else
        sort(&left);
    sort(&right);
    if (job->n > 2000)
        await(&future);
    merge(job->data, half, job->n, job->scratch);
    memcpy(job->data, job->scratch, job->n * sizeof *job->data);
}

static void stop(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.stopping = true;
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 3000000), n_threads = argument(argc, argv, 2, 2);
    pthread_t *threads = malloc(n_threads * sizeof *threads);
    for (int i = 1; i < n_threads; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    struct sort all = {malloc(n * sizeof(int)), malloc(n * sizeof(int)), n};
    uint32_t seed = 99;
    for (int i = 0; i < n; i++)
        all.data[i] = (int)(next_random(&seed) >> 1);
    sort(&all);
    stop();
    for (int i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (uint32_t)all.data[i];
    printf("futures %lu\n", (unsigned long)sum);
    return 0;
}
