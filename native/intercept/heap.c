/*
 * heap.c - malloc and its family: allocated and freed memory.
 *
 * libc's allocator does the work. Memory that it returns is new: earlier accesses to it happen
 * before the allocation, because free synchronises with malloc. Freeing is a write to the whole
 * block: an access of another thread that is unordered with it is a race, whichever comes first.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "core/libc/loader.h"
#include "core/libc/real.h"
#include "core/libc/segments.h"
#include "native/blocks.h"
#include "native/paths.h"
#include "native/shadow.h"

static void *allocated(void *block, size_t asked)
{
    if (block && sm_current && !sm_current->busy) {
        size_t size = malloc_usable_size(block);
        sm_shadow_clear((uintptr_t)block, size);
        sm_ranges_forget();
        sm_block_begin((uintptr_t)block, size - asked);
    }
    return block;
}

/* A large block has its own mapping, which glibc notes in the word before it. The mapping ends with
   the block: a later access crashes, and the next mapping there is new. */
static bool is_mapped_alone(const void *block)
{
    enum { IS_MMAPPED = 2 };
    return ((const size_t *)block)[-1] & IS_MMAPPED;
}

/* Before the memory is freed: afterwards another thread may get it, and its accesses must not be
   reported as races with those of this one. */
static void freeing(void *block, void *pc)
{
    if (!block || !sm_current || sm_current->busy)
        return;
    size_t size = malloc_usable_size(block);
    bool own = sm_current->creates || sm_is_loader((uintptr_t)pc);
    if (!own)
        sm_check_range(block, size, SM_ACCESS_WRITE | SM_ACCESS_FREE, &sm_free_site);
    if (own || is_mapped_alone(block))
        sm_shadow_clear((uintptr_t)block, size);
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

SM_EXPORT void *malloc(size_t size)
{
    return allocated(__libc_malloc(size), size);
}

SM_EXPORT void *calloc(size_t n, size_t size)
{
    return allocated(__libc_calloc(n, size), n * size);
}

SM_EXPORT void free(void *block)
{
    freeing(block, SM_CALLER());
    __libc_free(block);
}

/* Always allocates, copies and frees: the new block has a clear shadow, the old one is freed. */
SM_EXPORT void *realloc(void *block, size_t size)
{
    if (!block || !size || !sm_current)
        return block ? __libc_realloc(block, size) : malloc(size);
    void *moved = malloc(size);
    if (!moved)
        return NULL;
    size_t old = malloc_usable_size(block), room = malloc_usable_size(moved);
    memcpy(moved, block, old < room ? old : room);
    free(block);
    return moved;
}

SM_EXPORT void *reallocarray(void *block, size_t n, size_t size)
{
    size_t bytes;
    if (!__builtin_mul_overflow(n, size, &bytes))
        return realloc(block, bytes);
    errno = ENOMEM;
    return NULL;
}

SM_EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return allocated(SM_REAL(aligned_alloc)(align, size), size);
}

SM_EXPORT void *memalign(size_t align, size_t size)
{
    return allocated(SM_REAL(memalign)(align, size), size);
}

SM_EXPORT int posix_memalign(void **block, size_t align, size_t size)
{
    int result = SM_REAL(posix_memalign)(block, align, size);
    if (result == 0)
        allocated(*block, size);
    return result;
}

/* Pages that are moved to where another thread had memory are new there. What is known of their
   accesses stays behind. */
SM_EXPORT void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    bool checked = sm_current;
    /* before: as soon as the old pages are gone another thread may get them */
    if (checked && size < old_size)
        sm_shadow_clear((uintptr_t)old + size, old_size - size);
    else if (checked && (flags & MREMAP_MAYMOVE))
        sm_shadow_clear((uintptr_t)old, old_size);
    void *now = SM_REAL(mremap)(old, old_size, size, flags, to);
    if (checked && now != MAP_FAILED) {
        if (now != old)
            sm_shadow_clear((uintptr_t)now, size);
        else if (size > old_size)
            sm_shadow_clear((uintptr_t)old + old_size, size - old_size);
        sm_ranges_forget();
    }
    return now;
}

/* What was known of the addresses is not about the memory that is, or will be, there. */
static void mapping_changes(const void *addr, size_t size)
{
    if (!sm_current || !size)
        return;
    sm_shadow_clear((uintptr_t)addr, size);
    sm_ranges_forget();
}

SM_EXPORT int munmap(void *addr, size_t size)
{
    mapping_changes(addr, size);
    return SM_REAL(munmap)(addr, size);
}

/* ---- System V segments ---- */

SM_EXPORT void *shmat(int id, const void *at, int flags)
{
    void *result = SM_REAL(shmat)(id, at, flags);
    size_t size = result == MAP_FAILED ? 0 : sm_segment_size(id);
    mapping_changes(result, size);
    if (size)
        sm_segment_attached(result, size);
    return result;
}

/* Before the memory is given back: afterwards another thread may get it. */
SM_EXPORT int shmdt(const void *at)
{
    mapping_changes(at, sm_segment_at(at));
    sm_segment_detached(at);
    return SM_REAL(shmdt)(at);
}
