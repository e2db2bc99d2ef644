#include "pool.h"

#include <string.h>

#include "../runtime/sys.h"

enum { CLASSES = 40, SMALLEST = 6, CHUNK = 1 << 20 };

struct pool {
    void *free_blocks[CLASSES];
    char *bump, *end;
};
static struct pool *pool;

void sm_pool_start(void)
{
    pool = sm_map(NULL, sizeof *pool);
}

static unsigned class_of(size_t size)
{
    unsigned class = SMALLEST;
    while ((1ul << class) < size)
        class ++;
    return class;
}

static void *carve(size_t size)
{
    if (size >= CHUNK)
        return sm_map(NULL, size);
    if ((size_t)(pool->end - pool->bump) < size) {
        pool->bump = sm_map(NULL, CHUNK);
        pool->end = pool->bump + CHUNK;
    }
    char *block = pool->bump;
    pool->bump += size;
    return block;
}

void *sm_pool_get(size_t size)
{
    unsigned class = class_of(size);
    void *block = pool->free_blocks[class];
    if (!block)
        return carve(1ul << class);
    memcpy(&pool->free_blocks[class], block, sizeof block);
    return block;
}

void sm_pool_put(void *block, size_t size)
{
    unsigned class = class_of(size);
    memcpy(block, &pool->free_blocks[class], sizeof block);
    pool->free_blocks[class] = block;
}

void *sm_pool_double(void *block, size_t size)
{
    void *larger = sm_pool_get(2 * size);
    memcpy(larger, block, size);
    sm_pool_put(block, size);
    return larger;
}
