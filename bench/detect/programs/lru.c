/* A cache with keys of bytes that drops the least recently used entry; a lock for each shard. */
#include "bench.h"
#include <string.h>

#define SHARDS 8
#define BUCKETS 512
#define CAPACITY 600

struct entry {
    struct entry *chain, *newer, *older;
    uint32_t hash;
    unsigned short key_length, value_length;
    unsigned char bytes[]; /* key, value */
};

struct shard {
    _Alignas(64) pthread_mutex_t lock;
    int n;
    struct entry *buckets[BUCKETS];
    struct entry *newest, *oldest;
};

static int n_requests, n_threads;
static struct shard shards[SHARDS];
static uint64_t sums[64][8];

static uint32_t hash_of(const unsigned char *key, int length)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < length; i++)
        hash = (hash ^ key[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static struct entry **find(struct shard *shard, uint32_t hash, const unsigned char *key, int length)
{
    struct entry **at = &shard->buckets[hash / SHARDS % BUCKETS];
    while (*at && ((*at)->hash != hash || (*at)->key_length != length ||
                   memcmp((*at)->bytes, key, length) != 0))
        at = &(*at)->chain;
    return at;
}

static void unlink_entry(struct shard *shard, struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &shard->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &shard->oldest) = entry->newer;
}

static void link_newest(struct shard *shard, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = shard->newest;
    *(shard->newest ? &shard->newest->newer : &shard->oldest) = entry;
    shard->newest = entry;
}

static void drop_oldest(struct shard *shard)
{
    struct entry *entry = shard->oldest;
    struct entry **at = find(shard, entry->hash, entry->bytes, entry->key_length);
    *at = entry->chain;
    unlink_entry(shard, entry);
    free(entry);
    shard->n--;
}

/* What a slow store would answer. */
static int produce(const unsigned char *key, int length, unsigned char *value)
{
    int n = 16 + key[length - 1] % 48;
    for (int i = 0; i < n; i++)
        value[i] = (unsigned char)(key[i % length] * 7 + i);
    return n;
}

static struct entry *new_entry(uint32_t hash, const unsigned char *key, int length)
{
    unsigned char value[64];
    int n = produce(key, length, value);
    struct entry *entry = malloc(sizeof *entry + length + n);
    *entry = (struct entry){NULL, NULL, NULL, hash, (unsigned short)length, (unsigned short)n};
    memcpy(entry->bytes, key, length);
    memcpy(entry->bytes + length, value, n);
    return entry;
}

static int get(const unsigned char *key, int length, unsigned char *value)
{
    uint32_t hash = hash_of(key, length);
    struct shard *shard = &shards[hash % SHARDS];
    pthread_mutex_lock(&shard->lock);
    struct entry **at = find(shard, hash, key, length), *entry = *at;
    if (entry)
        unlink_entry(shard, entry);
    else {
        entry = *at = new_entry(hash, key, length);
        shard->n++;
    }
    link_newest(shard, entry);
    int n = entry->value_length;
    memcpy(value, entry->bytes + length, n);
    if (shard->n > CAPACITY)
        drop_oldest(shard);
    pthread_mutex_unlock(&shard->lock);
    return n;
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    uint32_t seed = 1234 + id;
    for (int i = 0; i < n_requests; i++) {
        char key[32];
        unsigned char value[64];
        uint32_t random = next_random(&seed);
        unsigned number = random % 4 ? random % 3000 : random % 20000;
        int length = sprintf(key, "/item/%u/%x", number, number * 77);
        int n = get((unsigned char *)key, length, value);
        for (int j = 0; j < n; j++)
            sums[id][0] += value[j];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n_requests = argument(argc, argv, 1, 600000);
    n_threads = argument(argc, argv, 2, 2);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].lock, NULL);
    run_threads(n_threads, worker);
    uint64_t sum = 0;
    for (int i = 0; i < n_threads; i++)
        sum += sums[i][0];
    printf("lru %lu\n", (unsigned long)sum);
    return 0;
}
