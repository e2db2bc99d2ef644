/* A hash map of chains with a lock for each stripe of buckets. */
#include "bench.h"

#define BUCKETS 16384
#define STRIPES 64

struct node {
    uint32_t key;
    int value;
    struct node *next;
};

static int n, n_threads;
static struct node *buckets[BUCKETS];
static pthread_mutex_t locks[STRIPES];

static struct node **find(uint32_t key)
{
    struct node **at = &buckets[key * 2654435761u % BUCKETS];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

static void add(uint32_t key, int amount)
{
    pthread_mutex_t *lock = &locks[key * 2654435761u % BUCKETS % STRIPES];
    pthread_mutex_lock(lock);
    struct node **at = find(key);
    if (!*at) {
        *at = malloc(sizeof **at);
        **at = (struct node){key, 0, NULL};
    }
    (*at)->value += amount;
    pthread_mutex_unlock(lock);
}

static void *worker(void *argument)
{
    uint32_t seed = 17 + (uint32_t)(intptr_t)argument;
    for (int i = 0; i < n; i++)
        add(next_random(&seed) % 65536, i % 7);
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 1000000);
    n_threads = argument(argc, argv, 2, 2);
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&locks[i], NULL);
    run_threads(n_threads, worker);
    long sum = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct node *node = buckets[i]; node; node = node->next)
            sum += node->value * (long)(node->key % 13);
    printf("hashmap %ld\n", sum);
    return 0;
}
