/* A B+-tree under a readers-writer lock: lookups, scans of a range, a tenth insertions. */
#include "bench.h"
#include <stdbool.h>
#include <string.h>

#define ORDER 32

struct node {
    bool is_leaf;
    int n;
    uint32_t keys[ORDER];
    union {
        struct node *children[ORDER + 1];
        struct {
            uint32_t values[ORDER];
            struct node *next;
        };
    };
};

struct split {
    uint32_t key;
    struct node *right;
};

static int n_operations, n_threads, n_loaded;
static struct node *root;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static uint64_t sums[64][8];

static struct node *new_node(bool is_leaf)
{
    struct node *node = calloc(1, sizeof *node);
    node->is_leaf = is_leaf;
    return node;
}

/* The number of keys that are at most `key`. */
static int position(const struct node *node, uint32_t key)
{
    int low = 0, high = node->n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (node->keys[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct node *leaf_of(uint32_t key)
{
    const struct node *node = root;
    while (!node->is_leaf)
        node = node->children[position(node, key)];
    return node;
}

static uint32_t find(uint32_t key)
{
    const struct node *leaf = leaf_of(key);
    int at = position(leaf, key) - 1;
    return at >= 0 && leaf->keys[at] == key ? leaf->values[at] : 0;
}

static int count_range(uint32_t from, int limit)
{
    int found = 0;
    for (const struct node *leaf = leaf_of(from); leaf && found < limit; leaf = leaf->next)
        for (int i = 0; i < leaf->n && found < limit; i++)
            found += leaf->keys[i] >= from;
    return found;
}

static struct split split_leaf(struct node *node)
{
    struct node *right = new_node(true);
    int half = ORDER / 2;
    right->n = ORDER - half;
    memcpy(right->keys, node->keys + half, right->n * sizeof right->keys[0]);
    memcpy(right->values, node->values + half, right->n * sizeof right->values[0]);
    right->next = node->next;
    node->next = right;
    node->n = half;
    return (struct split){right->keys[0], right};
}

static struct split split_inner(struct node *node)
{
    struct node *right = new_node(false);
    int half = ORDER / 2;
    right->n = ORDER - half - 1;
    memcpy(right->keys, node->keys + half + 1, right->n * sizeof right->keys[0]);
    memcpy(right->children, node->children + half + 1, (right->n + 1) * sizeof right->children[0]);
    node->n = half;
    return (struct split){node->keys[half], right};
}

static void put_leaf(struct node *node, uint32_t key, uint32_t value)
{
    int at = position(node, key);
    if (at > 0 && node->keys[at - 1] == key) {
        node->values[at - 1] = value;
        return;
    }
    memmove(node->keys + at + 1, node->keys + at, (node->n - at) * sizeof node->keys[0]);
    memmove(node->values + at + 1, node->values + at, (node->n - at) * sizeof node->values[0]);
    node->keys[at] = key;
    node->values[at] = value;
    node->n++;
}

static void put_child(struct node *node, struct split split)
{
    int at = position(node, split.key);
    memmove(node->keys + at + 1, node->keys + at, (node->n - at) * sizeof node->keys[0]);
    memmove(node->children + at + 2, node->children + at + 1,
            (node->n - at) * sizeof node->children[0]);
    node->keys[at] = split.key;
    node->children[at + 1] = split.right;
    node->n++;
}

static struct split insert_into(struct node *node, uint32_t key, uint32_t value)
{
    if (node->is_leaf)
        put_leaf(node, key, value);
    else {
        struct split split = insert_into(node->children[position(node, key)], key, value);
        if (split.right)
            put_child(node, split);
    }
    if (node->n < ORDER)
        return (struct split){0, NULL};
    return node->is_leaf ? split_leaf(node) : split_inner(node);
}

static void insert(uint32_t key, uint32_t value)
{
    struct split split = insert_into(root, key, value);
    if (!split.right)
        return;
    struct node *above = new_node(false);
    above->n = 1;
    above->keys[0] = split.key;
    above->children[0] = root;
    above->children[1] = split.right;
    root = above;
}

static uint64_t operate(uint32_t random, int i)
{
    uint32_t key = (random >> 4) % (uint32_t)n_loaded * 2, found;
    if (random % 10 == 0) {
        pthread_rwlock_wrlock(&lock);
        insert(key + 1, key + 7);
        pthread_rwlock_unlock(&lock);
        return 0;
    }
    pthread_rwlock_rdlock(&lock);
    found = i % 16 == 0 ? (uint32_t)count_range(key / 2, 50) : find(key);
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    uint32_t seed = 4711 + id;
    for (int i = 0; i < n_operations; i++)
        sums[id][0] += operate(next_random(&seed), i);
    return NULL;
}

int main(int argc, char **argv)
{
    n_operations = argument(argc, argv, 1, 700000);
    n_threads = argument(argc, argv, 2, 2);
    n_loaded = 50000;
    root = new_node(true);
    for (uint32_t i = 0, key = 0; i < (uint32_t)n_loaded; i++, key = (key + 7919) % n_loaded)
        insert(key * 2, key ^ 0x5555);
    run_threads(n_threads, worker);
    uint64_t sum = 0, keys = 0;
    for (const struct node *leaf = leaf_of(0); leaf; leaf = leaf->next)
        for (int i = 0; i < leaf->n; i++, keys++)
            sum = sum * 31 + leaf->keys[i] + leaf->values[i];
    for (int i = 0; i < n_threads; i++)
        sum += sums[i][0];
    printf("btree %lu %lu\n", (unsigned long)keys, (unsigned long)sum);
    return 0;
}
