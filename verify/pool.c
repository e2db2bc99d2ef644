#include "verify/pool.h"

#include <linux/mman.h>
#include <string.h>

#include "base/sys.h"

enum { POOL_CLASSES = 40, SMALLEST = 6, POOL_CHUNK = 1 << 20 };

struct pool {
    void *free_blocks[POOL_CLASSES];
    char *bump, *end;
};
static struct pool *pool;

void sm_pool_start(void)
{
    pool = sm_map(NULL, sizeof *pool);
}

static unsigned class_of(size_t size)
{
    return size <= 1ul << SMALLEST ? SMALLEST : 64 - (unsigned)__builtin_clzl(size - 1);
}

static void *carve(size_t size)
{
    if (size >= POOL_CHUNK)
        return sm_map(NULL, size);
    if ((size_t)(pool->end - pool->bump) < size) {
        pool->bump = sm_map(NULL, POOL_CHUNK);
        pool->end = pool->bump + POOL_CHUNK;
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

/* A block with its own mapping grows in place, or its pages are moved: nothing is copied, and no
   memory is left over that only a block of the same size could use. NULL: not possible. */
static void *extend(void *block, unsigned class)
{
    if (1ul << class < POOL_CHUNK)
        return NULL;
    long at = sm_syscall(SYS_mremap, block, 1ul << class, 2ul << class, (long)MREMAP_MAYMOVE);
    return at > 0 ? (void *)at : NULL;
}

void *sm_pool_double(void *block, size_t size)
{
    void *extended = extend(block, class_of(size));
    if (extended)
        return extended;
    void *larger = sm_pool_get(2 * size);
    memcpy(larger, block, size);
    sm_pool_put(block, size);
    return larger;
}
