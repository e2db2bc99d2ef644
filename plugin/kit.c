/*
 * kit.c - see kit.h. Open addressing with linear probing: nothing is ever removed.
 */
#include "plugin/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
    if (!memory) {
        fputs("stalemate: the compiler pass ran out of memory; compile fewer files at once\n",
              stderr);
        abort();
    }
    return memory;
}

void *sm_allocate(size_t size)
{
    return checked(calloc(1, size ? size : 1));
}

void *sm_grow(void *items, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 16;
    return checked(realloc(items, *capacity * item_size));
}

void sm_text_insert(struct sm_text *text, size_t position, const char *chars)
{
    size_t n = strlen(chars);
    if (text->length + n + 1 > text->capacity) {
        text->capacity = (text->length + n + 1) * 2;
        text->chars = checked(realloc(text->chars, text->capacity));
        text->chars[text->length] = '\0';
    }
    memmove(text->chars + position + n, text->chars + position, text->length - position + 1);
    memcpy(text->chars + position, chars, n);
    text->length += n;
}

void sm_text_add(struct sm_text *text, const char *chars)
{
    sm_text_insert(text, text->length, chars);
}

void sm_text_add_n(struct sm_text *text, const char *chars, size_t n)
{
    char *copy = sm_allocate(n + 1);
    memcpy(copy, chars, n);
    sm_text_add(text, copy);
    free(copy);
}

void sm_text_clear(struct sm_text *text)
{
    text->length = 0;
    if (text->chars)
        text->chars[0] = '\0';
}

void sm_text_free(struct sm_text *text)
{
    free(text->chars);
    *text = (struct sm_text){0};
}

const char *sm_text_get(const struct sm_text *text)
{
    return text->chars ? text->chars : "";
}

static size_t pointer_hash(const void *key)
{
    return (size_t)(((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 20);
}

static struct sm_map_slot *map_slot(const struct sm_map *map, const void *key)
{
    size_t i = pointer_hash(key) & (map->capacity - 1);
    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    return &map->slots[i];
}

static void map_rehash(struct sm_map *map)
{
    struct sm_map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 64;
    map->slots = sm_allocate(map->capacity * sizeof *map->slots);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].key)
            *map_slot(map, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

uintptr_t *sm_map_at(struct sm_map *map, const void *key)
{
    if ((map->count + 1) * 4 > map->capacity * 3)
        map_rehash(map);
    struct sm_map_slot *slot = map_slot(map, key);
    if (!slot->key) {
        slot->key = key;
        map->count++;
    }
    return &slot->value;
}

uintptr_t sm_map_get(const struct sm_map *map, const void *key)
{
    return map->capacity ? map_slot(map, key)->value : 0;
}

void sm_map_free(struct sm_map *map)
{
    free(map->slots);
    *map = (struct sm_map){0};
}

static size_t string_hash(const char *string)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *string; string++)
        hash = (hash ^ (unsigned char)*string) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

static char **pool_slot(const struct sm_pool *pool, const char *string)
{
    size_t i = string_hash(string) & (pool->capacity - 1);
    while (pool->strings[i] && strcmp(pool->strings[i], string) != 0)
        i = (i + 1) & (pool->capacity - 1);
    return &pool->strings[i];
}

static void pool_rehash(struct sm_pool *pool)
{
    struct sm_pool old = *pool;
    pool->capacity = old.capacity ? old.capacity * 2 : 64;
    pool->strings = sm_allocate(pool->capacity * sizeof *pool->strings);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.strings[i])
            *pool_slot(pool, old.strings[i]) = old.strings[i];
    free(old.strings);
}

const char *sm_intern(struct sm_pool *pool, const char *string)
{
    if ((pool->count + 1) * 4 > pool->capacity * 3)
        pool_rehash(pool);
    char **slot = pool_slot(pool, string);
    if (!*slot) {
        size_t size = strlen(string) + 1;
        *slot = memcpy(sm_allocate(size), string, size);
        pool->count++;
    }
    return *slot;
}

void sm_pool_free(struct sm_pool *pool)
{
    for (size_t i = 0; i < pool->capacity; i++)
        free(pool->strings[i]);
    free(pool->strings);
    *pool = (struct sm_pool){0};
}

bool sm_starts_with(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}
