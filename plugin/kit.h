/*
 * kit.h - the three small containers the pass needs: a growing text, a pool of
 * strings that are equal exactly when their pointers are, a map from pointers.
 *
 * They live as long as one run of the pass over one module, on one thread. Running
 * out of memory ends the compiler with a message, as it does everywhere in LLVM.
 */
#ifndef SM_PLUGIN_KIT_H
#define SM_PLUGIN_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *sm_allocate(size_t size); /* zeroed; never NULL */
/* Makes room for one more item in an array that doubles. */
void *sm_grow(void *items, size_t count, size_t *capacity, size_t item_size);

struct sm_text {
    char *chars; /* NULL while empty, else ends in NUL */
    size_t length;
    size_t capacity;
};
void sm_text_add(struct sm_text *text, const char *chars);
void sm_text_add_n(struct sm_text *text, const char *chars, size_t n);
void sm_text_insert(struct sm_text *text, size_t position, const char *chars);
void sm_text_clear(struct sm_text *text);
void sm_text_free(struct sm_text *text);
const char *sm_text_get(const struct sm_text *text); /* "" while empty */

/* Pointer keys to pointer-sized values; NULL is not a key. */
struct sm_map {
    struct sm_map_slot {
        const void *key;
        uintptr_t value;
    } *slots;
    size_t count;
    size_t capacity; /* a power of two, at most 3/4 used */
};
/* The value's place, made (as 0) if there is none; valid until the next call. */
uintptr_t *sm_map_at(struct sm_map *map, const void *key);
uintptr_t sm_map_get(const struct sm_map *map, const void *key); /* 0 if there is none */
void sm_map_free(struct sm_map *map);

struct sm_pool {
    char **strings;
    size_t count;
    size_t capacity; /* a power of two, at most 3/4 used */
};
const char *sm_intern(struct sm_pool *pool, const char *string);
void sm_pool_free(struct sm_pool *pool);

bool sm_starts_with(const char *string, const char *prefix);

#endif
