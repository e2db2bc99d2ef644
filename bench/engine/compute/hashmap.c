/* Two hash maps with chains, one for each thread: pointers and allocation. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 15, KEYS = 100000, ROUNDS = 60 };
struct entry {
    struct entry *next;
    uint64_t key, value;
};
struct map {
    struct entry *buckets[BUCKETS];
};

static uint64_t scramble(uint64_t x)
{
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185ULL;
    return x ^ (x >> 29);
}

static uint64_t *find(struct map *map, uint64_t key)
{
    struct entry **bucket = &map->buckets[scramble(key) % BUCKETS];

    for (struct entry *entry = *bucket; entry; entry = entry->next)
        if (entry->key == key)
            return &entry->value;
    struct entry *entry = malloc(sizeof(*entry));
    *entry = (struct entry){*bucket, key, 0};
    *bucket = entry;
    return &entry->value;
}

static void *work(void *arg)
{
    struct map *map = calloc(1, sizeof(*map));
    uint64_t sum = 0;

    for (int round = 0; round < ROUNDS; round++)
        for (uint64_t i = 0; i < KEYS; i++)
            sum += ++*find(map, scramble(i * 2 + (arg ? 1 : 0)));
    return (void *)sum;
}

int main(void)
{
    pthread_t other;
    void *sum;

    pthread_create(&other, NULL, work, &other);
    uint64_t mine = (uint64_t)work(NULL);
    pthread_join(other, &sum);
    printf("%lu\n", (unsigned long)(mine + (uint64_t)sum));
    return 0;
}
