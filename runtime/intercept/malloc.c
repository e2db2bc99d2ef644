/*
 * malloc.c - malloc and its family.
 *
 * A controlled thread gets its blocks from its own heap (heap.h), and so do constructors, before
 * main. All others (a program without the driver, the child of a fork) get them from libc. free and
 * realloc handle both kinds; the address tells them apart.
 *
 * Neither allocation nor release is a scheduling point: no other thread could observe the
 * difference.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "abi/control.h"
#include "runtime/blocks.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/harm.h"
#include "runtime/heap.h"
#include "runtime/init.h"
#include "runtime/intercept/real.h"
#include "runtime/region.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/object.h"

/* libc's allocator under names that need no lookup: dlsym itself allocates. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

static void *out_of_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

static void *allocated(void *block, size_t size, void *pc)
{
    if (!block)
        return out_of_memory();
    struct sm_event event = sm_sync_event(SM_EV_ALLOC, block, size, pc);
    sm_blocks_allocated(block, pc);
    sm_sync(&event);
    return block;
}

static void freed(void *block, size_t size, void *pc)
{
    if (sm_engine->freeing)
        sm_engine->freeing(block, size);
    struct sm_event event = sm_sync_event(SM_EV_FREE, block, size, pc);
    sm_blocks_freed(block, pc);
    sm_sync(&event);
    sm_sync_forget(block, size);
}

static void reject(const char *function, uintptr_t block, enum sm_heap_state state)
{
    struct sm_harm_place places[SM_BLOCK_PLACES];
    uintptr_t start = 0;
    size_t size;
    if (state == SM_HEAP_FREED)
        sm_harm(SM_FAILURE_DOUBLE_FREE, block, places, sm_blocks_places(block, places),
                "%s of a block that was freed", function);
    else if (sm_heap_look(block, &start, &size) != SM_HEAP_BAD)
        sm_harm(SM_FAILURE_INVALID_FREE, block, places, sm_blocks_places(start, places),
                "%s of an address %lu bytes into a block of %lu bytes", function, block - start,
                size);
    else
        sm_harm(SM_FAILURE_INVALID_FREE, block, NULL, 0, "%s of what malloc has not returned",
                function);
}

/* The size of a block of ours that is about to be freed or moved; ends the execution if there is no
   such block, as libc would. */
static size_t size_of(const char *function, void *block)
{
    size_t size = 0;
    enum sm_heap_state state = sm_heap_query(block, &size);
    while (state == SM_HEAP_BAD && sm_engine->give_way && sm_engine->give_way())
        state = sm_heap_query(block, &size);
    if (state != SM_HEAP_LIVE)
        reject(function, (uintptr_t)block, state);
    return size;
}

static void *allocate(struct sm_thread *self, size_t size, size_t align, void *pc)
{
    void *block = sm_heap_alloc(self->id, size, align);
    if (block && sm_option(uninitialised))
        sm_heap_fill(block, size);
    return allocated(block, size, pc);
}

/* ---- before main ---- */

/* Nothing is controlled yet, but the initial thread's constructors always do the same. */
static void *early(void *block)
{
    if (!block)
        return out_of_memory();
    struct sm_heap_note *note = sm_heap_note(block);
    *note = (struct sm_heap_note){0};
    return sm_restart_early(block, (size_t)((char *)(note + 1) - (char *)block));
}

static void *early_or_libc(size_t size)
{
    return sm_starting_here() ? early(sm_heap_alloc(SM_HEAP_EARLY, size, 16)) : __libc_malloc(size);
}

static void release_early(void *block)
{
    if (sm_heap_free(block) != SM_HEAP_LIVE)
        abort();
}

static void *resize_early(void *block, size_t size)
{
    size_t old = 0;
    sm_heap_query(block, &old);
    void *copy = early_or_libc(size);
    if (!copy)
        return NULL;
    memcpy(copy, block, old < size ? old : size);
    if (sm_starting_here())
        release_early(block);
    return copy;
}

/* ---- release ---- */

static void release(void *block, void *pc)
{
    freed(block, size_of("free", block), pc);
    sm_heap_free_live(block);
}

SM_EXPORT void *malloc(size_t size)
{
    struct sm_thread *self = sm_self();
    return self ? allocate(self, size, 16, SM_CALLER()) : early_or_libc(size);
}

SM_EXPORT void *calloc(size_t count, size_t size)
{
    struct sm_thread *self = sm_self();
    if (!self && !sm_starting_here())
        return __libc_calloc(count, size);
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return out_of_memory();
    if (!self)
        return early(sm_heap_alloc_zeroed(SM_HEAP_EARLY, total));
    return allocated(sm_heap_alloc_zeroed(self->id, total), total, SM_CALLER());
}

/* libc does not allocate in an object file or on a stack. */
static bool is_no_block(const void *addr)
{
    uintptr_t start, end;
    sm_region_bounds((uintptr_t)addr, &start, &end);
    return end || (uintptr_t)addr - SM_REGION_STACK < SM_REGION_MAPS - SM_REGION_STACK;
}

/* Allocated by libc, without control; or not allocated at all. */
static void release_to_libc(void *block, void *pc)
{
    if (block && sm_self() && is_no_block(block))
        reject("free", (uintptr_t)block, SM_HEAP_BAD);
    if (block && sm_self())
        freed(block, SM_REAL(malloc_usable_size)(block), pc);
    if (!sm_restart_on())
        __libc_free(block);
}

/* A block of ours that is freed without control (after the end, or in the child of a fork, where
   threads are parallel again) is leaked: its heap has no lock. */
SM_EXPORT void free(void *block)
{
    if (!sm_heap_owns(block))
        release_to_libc(block, SM_CALLER());
    else if (sm_self())
        release(block, SM_CALLER());
    else if (sm_starting_here())
        release_early(block);
}

/* Moves a block of libc's, allocated without control, to the heap of the thread that resizes it:
   what libc would do depends on the carrier. */
static void *move_from_libc(struct sm_thread *self, void *block, size_t size, void *pc)
{
    size_t old = SM_REAL(malloc_usable_size)(block);
    void *copy = allocate(self, size, 16, pc);
    if (!copy)
        return NULL;
    memcpy(copy, block, old < size ? old : size);
    release_to_libc(block, pc);
    return copy;
}

static void *resize(struct sm_thread *self, void *block, size_t size, void *pc)
{
    size_t old = size_of("realloc", block);
    if (sm_heap_resize(block, size)) {
        if (sm_engine->iteration_effect)
            sm_engine->iteration_effect();
        return block;
    }
    void *copy = sm_heap_alloc(self->id, size, 16);
    if (!copy)
        return out_of_memory();
    if (sm_option(uninitialised))
        sm_heap_fill(copy, size);
    /* FREE comes first: it flushes the thread's delayed stores to the block. */
    freed(block, old, pc);
    memcpy(copy, block, old < size ? old : size);
    sm_heap_free(block);
    return allocated(copy, size, pc);
}

static void *reallocate(void *block, size_t size, void *pc)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return sm_heap_owns(block)            ? resize_early(block, size)
               : block || !sm_starting_here() ? __libc_realloc(block, size)
                                              : early_or_libc(size);
    if (!block)
        return allocate(self, size, 16, pc);
    if (size == 0) { /* frees, like glibc */
        free(block);
        return NULL;
    }
    if (!sm_heap_owns(block))
        return move_from_libc(self, block, size, pc);
    return resize(self, block, size, pc);
}

SM_EXPORT void *realloc(void *block, size_t size)
{
    return reallocate(block, size, SM_CALLER());
}

SM_EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return out_of_memory();
    return reallocate(block, total, SM_CALLER());
}

static void *aligned(size_t align, size_t size, void *pc)
{
    struct sm_thread *self = sm_self();
    if (!self && !sm_starting_here())
        return __libc_memalign(align, size);
    if (align > 1ul << 40)
        return out_of_memory();
    size_t power = 16; /* like glibc: an alignment that is not a power of two is rounded up */
    while (power < align)
        power *= 2;
    if (!self)
        return early(sm_heap_alloc(SM_HEAP_EARLY, size, power));
    return allocate(self, size, power, pc);
}

SM_EXPORT void *memalign(size_t align, size_t size)
{
    return aligned(align, size, SM_CALLER());
}

SM_EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return aligned(align, size, SM_CALLER());
}

SM_EXPORT int posix_memalign(void **block, size_t align, size_t size)
{
    if (align % sizeof(void *) != 0 || align == 0 || (align & (align - 1)) != 0)
        return EINVAL;
    int before = errno; /* posix_memalign leaves errno alone */
    void *result = aligned(align, size, SM_CALLER());
    errno = before;
    if (!result)
        return ENOMEM;
    *block = result;
    return 0;
}

enum { HEAP_PAGE = 4096 };

SM_EXPORT void *valloc(size_t size)
{
    return aligned(HEAP_PAGE, size, SM_CALLER());
}

SM_EXPORT void *pvalloc(size_t size)
{
    return aligned(HEAP_PAGE, (size + HEAP_PAGE - 1) & ~(size_t)(HEAP_PAGE - 1), SM_CALLER());
}

SM_EXPORT size_t malloc_usable_size(void *block)
{
    if (!sm_heap_owns(block))
        return SM_REAL(malloc_usable_size)(block);
    size_t size = 0;
    sm_heap_query(block, &size);
    return size;
}
