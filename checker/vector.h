/* vector.h - memory and growable arrays for the checker. Without memory the process exits with
   status 70: there is no partial verdict. */
#ifndef SM_CHECKER_VECTOR_H
#define SM_CHECKER_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed. */
void *sm_check_alloc(size_t n, size_t size);
void *sm_check_grow(void *old, size_t *capacity, size_t size);

#define SM_VECTOR(type)                                                                            \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, capacity;                                                                        \
    }

#define SM_PUSH(vector, ...)                                                                       \
    do {                                                                                           \
        if ((vector)->n == (vector)->capacity)                                                     \
            (vector)->at = sm_check_grow((vector)->at, &(vector)->capacity, sizeof *(vector)->at); \
        (vector)->at[(vector)->n++] = (__VA_ARGS__);                                               \
    } while (0)

/* From 64-bit keys to small numbers: open addressing, doubled at half full. */
struct sm_index {
    struct {
        uint64_t key;
        uint32_t value; /* 0: empty slot; else number + 1 */
    } *slots;
    size_t n, capacity;
};
#define SM_ABSENT UINT32_MAX
uint32_t sm_index_get(const struct sm_index *table, uint64_t key);
void sm_index_put(struct sm_index *table, uint64_t key, uint32_t number);

#endif
