/* A sorted list under a lock. BROKEN: whether the key is there is looked up in one section, and the
   node linked in another (check, then act). */
#include "set.h"

#include <pthread.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

struct set {
    pthread_mutex_t lock;
    struct node *first;
};

static pthread_mutex_t *lock_of(const set_t *set)
{
    return (pthread_mutex_t *)&set->lock;
}

/* Where the pointer to the first node that is not below key is. */
static struct node **find(const set_t *set, int key)
{
    struct node **at = (struct node **)&set->first;
    while (*at && (*at)->key < key)
        at = &(*at)->next;
    return at;
}

static bool is_at(struct node **at, int key)
{
    return *at && (*at)->key == key;
}

set_t *set_make(void)
{
    set_t *set = calloc(1, sizeof *set);
    pthread_mutex_init(&set->lock, NULL);
    return set;
}

void set_free(set_t *set)
{
    pthread_mutex_destroy(&set->lock);
    free(set);
}

bool set_insert(set_t *set, int key)
{
    struct node *node = malloc(sizeof *node);
    node->key = key;
    pthread_mutex_lock(&set->lock);
    bool new = !is_at(find(set, key), key);
#ifdef BROKEN
    pthread_mutex_unlock(&set->lock);
    pthread_mutex_lock(&set->lock);
#endif
    struct node **at = find(set, key);
    if (new) {
        node->next = *at;
        *at = node;
    }
    pthread_mutex_unlock(&set->lock);
    return new;
}

bool set_remove(set_t *set, int key)
{
    pthread_mutex_lock(&set->lock);
    struct node **at = find(set, key);
    bool found = is_at(at, key);
    if (found)
        *at = (*at)->next;
    pthread_mutex_unlock(&set->lock);
    return found;
}

bool set_contains(const set_t *set, int key)
{
    pthread_mutex_lock(lock_of(set));
    bool found = is_at(find(set, key), key);
    pthread_mutex_unlock(lock_of(set));
    return found;
}
