/* A hash table of lists on the heap, a lock for each bucket. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 64, KEYS = 512, THREADS = 4 };

struct node {
    struct node *next;
    unsigned long key, value;
};

struct bucket {
    pthread_mutex_t lock;
    struct node *first;
    long size;
};

static struct bucket buckets[BUCKETS];
static long rounds;

void bucket_add(struct bucket *bucket, unsigned long key)
{
    pthread_mutex_lock(&bucket->lock);
    struct node *node = bucket->first;
    while (node && node->key != key)
        node = node->next;
    if (!node) {
        node = malloc(sizeof *node);
        if (!node)
            abort();
        *node = (struct node){.next = bucket->first, .key = key};
        bucket->first = node;
        bucket->size++;
    }
    node->value++;
    pthread_mutex_unlock(&bucket->lock);
}

static void *work(void *arg)
{
    unsigned long seed = (unsigned long)arg;
    for (long i = 0; i < rounds; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned long key = seed >> 40 & (KEYS - 1);
        bucket_add(&buckets[key % BUCKETS], key);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    rounds = argc > 1 ? atol(argv[1]) : 1000;
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&buckets[i].lock, NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    unsigned long sum = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct node *node = buckets[i].first; node; node = node->next)
            sum += node->value;
    printf("%lu\n", sum);
    return sum != (unsigned long)rounds * THREADS;
}
