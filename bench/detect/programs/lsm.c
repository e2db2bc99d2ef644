/*
 * A log-structured store: writes go to a table in memory (a binary tree), which is frozen when
 * full and merged into the sorted run by a flusher thread, woken by a condition variable. A
 * reader-writer lock guards which tables there are; what is frozen, or in the run, is only read.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define CLIENTS 12
#define KEYS_PER_CLIENT 700
#define TABLE_SIZE 1024

struct entry {
    char key[24];
    char value[23];
    bool deleted;
    struct entry *child[2]; /* in a table */
};

struct run {
    int n;
    struct entry entries[];
};

static pthread_rwlock_t tables_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct entry *active, *frozen;
static int n_active, n_frozen;
static struct run *run;
static pthread_mutex_t flush_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t flush_wanted = PTHREAD_COND_INITIALIZER;
static bool flush_pending, closing;
static int n_operations, n_threads;
static uint64_t digests[CLIENTS];

static const struct entry *tree_find(const struct entry *at, const char *key)
{
    for (int order; at != NULL && (order = strcmp(key, at->key)) != 0;)
        at = at->child[order > 0];
    return at;
}

static void put(const struct entry *entry)
{
    struct entry **link = &active;
    for (int order; *link != NULL && (order = strcmp(entry->key, (*link)->key)) != 0;)
        link = &(*link)->child[order > 0];
    if (*link == NULL) {
        *link = calloc(1, sizeof *entry);
        n_active++;
    }
    memcpy(*link, entry, offsetof(struct entry, child));
}

static void free_tree(struct entry *at)
{
    if (at == NULL)
        return;
    free_tree(at->child[0]);
    free_tree(at->child[1]);
    free(at);
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

/* Appends to a run the entries of a tree, and from *at on those of the old run in between. */
static void merge(const struct entry *entry, const struct run *old, int *at, struct run *to)
{
    if (entry == NULL)
        return;
    merge(entry->child[0], old, at, to);
    int order = 1;
    for (; *at < old->n && (order = compare_entries(&old->entries[*at], entry)) < 0; ++*at)
        to->entries[to->n++] = old->entries[*at];
    if (*at < old->n && order == 0)
        ++*at;
    if (!entry->deleted)
        to->entries[to->n++] = *entry;
    merge(entry->child[1], old, at, to);
}

/* What is frozen stays so until it is in the run, which only the flusher changes. */
static void flush(struct entry *table, struct run *old)
{
    struct run *merged = calloc(1, sizeof *run + (size_t)(old->n + n_frozen) * sizeof *table);
    int at = 0;
    merge(table, old, &at, merged);
    while (at < old->n)
        merged->entries[merged->n++] = old->entries[at++];
    pthread_rwlock_wrlock(&tables_lock);
    run = merged;
    frozen = NULL;
    pthread_rwlock_unlock(&tables_lock);
    free(old);
    free_tree(table);
}

static void *flusher(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&flush_mutex);
        while (!flush_pending && !closing)
            pthread_cond_wait(&flush_wanted, &flush_mutex);
        bool pending = flush_pending;
        flush_pending = false;
        pthread_mutex_unlock(&flush_mutex);
        if (!pending)
            return NULL;
        flush(frozen, run);
    }
}

static void ask_flusher(bool *what)
{
    pthread_mutex_lock(&flush_mutex);
    *what = true;
    pthread_cond_signal(&flush_wanted);
    pthread_mutex_unlock(&flush_mutex);
}

static void store_put(const struct entry *entry)
{
    pthread_rwlock_wrlock(&tables_lock);
    put(entry);
    bool full = n_active >= TABLE_SIZE && frozen == NULL;
    if (full) {
        frozen = active;
        n_frozen = n_active;
        active = NULL;
        n_active = 0;
    }
    pthread_rwlock_unlock(&tables_lock);
    if (full)
        ask_flusher(&flush_pending);
}

static bool store_get(struct entry *entry)
{
    pthread_rwlock_rdlock(&tables_lock);
    const struct entry *found = tree_find(active, entry->key);
    if (found == NULL)
        found = tree_find(frozen, entry->key);
    if (found == NULL)
        found = bsearch(entry, run->entries, (size_t)run->n, sizeof *entry, compare_entries);
    if (found != NULL)
        *entry = *found;
    pthread_rwlock_unlock(&tables_lock);
    return found != NULL && !entry->deleted;
}

/* Keys of the clients alternate in the order of the keys, but no two clients share one. */
static void run_client(int client)
{
    uint32_t seed = 31337u + 1009u * (uint32_t)client;
    for (int i = 0; i < n_operations; i++) {
        struct entry entry = {.deleted = false};
        uint32_t dice = next_random(&seed), key = dice / 256 % KEYS_PER_CLIENT;
        snprintf(entry.key, sizeof entry.key, "user%05u.%02d", key, client);
        if (dice % 16 < 10) {
            const char *c = store_get(&entry) ? entry.value : entry.key;
            for (; *c; c++)
                digests[client] = digests[client] * 131 + (unsigned char)*c;
            continue;
        }
        entry.deleted = dice % 16 == 15;
        for (int k = 0; k < 8 + (int)(dice >> 4 & 7); k++)
            entry.value[k] = (char)('a' + (dice >> k) % 26);
        store_put(&entry);
    }
}

static void *worker(void *argument)
{
    for (int client = (int)(intptr_t)argument; client < CLIENTS; client += n_threads)
        run_client(client);
    return NULL;
}

int main(int argc, char **argv)
{
    n_operations = argument(argc, argv, 1, 24000);
    n_threads = argument(argc, argv, 2, 2);
    run = calloc(1, sizeof *run);
    pthread_t flusher_thread;
    pthread_create(&flusher_thread, NULL, flusher, NULL);
    run_threads(n_threads, worker);
    ask_flusher(&closing);
    pthread_join(flusher_thread, NULL);
    uint64_t digest = 0;
    for (int i = 0; i < CLIENTS; i++)
        digest = digest * 31 + digests[i];
    printf("lsm %016lx\n", (unsigned long)digest);
    return 0;
}
