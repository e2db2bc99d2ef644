/* Entries in an array; the last one takes the place of one that is removed. BROKEN: the reader
   takes no lock, as if each atomic access were enough. */
#include "map.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ENTRIES = 4 };

struct map {
    pthread_mutex_t lock;
    atomic_int n;
    _Atomic(const char *) names[ENTRIES];
    atomic_int values[ENTRIES];
};

struct map *map_open(void)
{
    struct map *map = calloc(1, sizeof *map);
    pthread_mutex_init(&map->lock, NULL);
    return map;
}

void map_close(struct map *map)
{
    pthread_mutex_destroy(&map->lock);
    free(map);
}

/* Names are one character here: enough for a test of the locking. */
static int find(struct map *map, const char *name)
{
    for (int i = 0; i < map->n; i++)
        if (map->names[i][0] == name[0])
            return i;
    return -1;
}

int map_set(struct map *map, const char *name, int value)
{
    pthread_mutex_lock(&map->lock);
    int at = find(map, name);
    if (at < 0 && map->n < ENTRIES) {
        at = map->n;
        map->names[at] = name;
        map->values[at] = value;
        map->n++;
    } else if (at >= 0) {
        map->values[at] = value;
    }
    pthread_mutex_unlock(&map->lock);
    return at < 0 ? -1 : 0;
}

int map_get(struct map *map, const char *name)
{
#ifndef BROKEN
    pthread_mutex_lock(&map->lock);
#endif
    int at = find(map, name);
    int value = at < 0 ? -1 : map->values[at];
#ifndef BROKEN
    pthread_mutex_unlock(&map->lock);
#endif
    return value;
}

int map_remove(struct map *map, const char *name)
{
    pthread_mutex_lock(&map->lock);
    int at = find(map, name), value = -1;
    if (at >= 0) {
        value = map->values[at];
        map->n--;
        map->names[at] = map->names[map->n];
        map->values[at] = map->values[map->n];
    }
    pthread_mutex_unlock(&map->lock);
    return value;
}
