/*
 * memory.c - mmap and its family, and System V segments, at addresses of our choice.
 *
 * The kernel's choice of an address depends on what else it has mapped. A mapping without an
 * address goes to the next free place of SM_REGION_MAPS instead, so that pointers into it are the
 * same in each execution. Only the last mapping's place is reused after munmap: the region has
 * room for 4 TiB, and reusing an address soon hides use after unmapping.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "core/libc/segments.h"
#include "runtime/intercept/real.h"
#include "runtime/region.h"
#include "runtime/sched/livelock.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/object.h"

enum { MAPPED_PAGE = 4096 };

static uintptr_t next_map = SM_REGION_MAPS;

static size_t whole_pages(size_t size)
{
    return (size + MAPPED_PAGE - 1) & ~(size_t)(MAPPED_PAGE - 1);
}

/* A place for size bytes, or NULL: then the kernel may choose. */
static void *place_for(size_t size)
{
    if (size == 0 || size > SM_REGION_RUNTIME - next_map)
        return NULL;
    return (void *)next_map;
}

static void took(void *at, size_t size)
{
    if ((uintptr_t)at == next_map)
        next_map += whole_pages(size);
}

static void gave_back(void *at, size_t size)
{
    if ((uintptr_t)at >= SM_REGION_MAPS && (uintptr_t)at + whole_pages(size) == next_map)
        next_map = (uintptr_t)at;
}

static void memory_event(int kind, void *at, size_t size, void *pc)
{
    struct sm_event event = sm_sync_event(kind, at, size, pc);
    sm_sync(&event);
}

SM_EXPORT void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    SM_PASS(mmap, at, size, protection, flags, fd, offset);
    if (!(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT))) {
        void *place = place_for(size);
        if (place) {
            at = place;
            flags |= MAP_FIXED; /* replaces what an earlier execution may have left */
        }
    }
    void *result = SM_REAL(mmap)(at, size, protection, flags, fd, offset);
    if (result == MAP_FAILED)
        return result;
    if (flags & MAP_SHARED) {
        sm_livelock_never();
        sm_object_memory_shared();
        sm_engine_called(fd < 0 ? "mmap" : " mapped");
    }
    took(result, size);
    memory_event(SM_EV_ALLOC, result, size, SM_CALLER());
    return result;
}

SM_EXPORT void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

SM_EXPORT int munmap(void *at, size_t size)
{
    SM_PASS(munmap, at, size);
    memory_event(SM_EV_FREE, at, size, SM_CALLER());
    int result = SM_REAL(munmap)(at, size);
    if (result == 0) {
        sm_sync_forget(at, size);
        gave_back(at, size);
    }
    return result;
}

/* Grows in place if possible, else moves to a place of our choice. */
static void *remap(void *at, size_t old_size, size_t size, void *pc)
{
    void *result = SM_REAL(mremap)(at, old_size, size, 0);
    if (result != MAP_FAILED) {
        if ((uintptr_t)at + whole_pages(old_size) == next_map)
            next_map = (uintptr_t)at + whole_pages(size);
        if (size > old_size)
            memory_event(SM_EV_ALLOC, (char *)at + old_size, size - old_size, pc);
        return result;
    }
    void *place = place_for(size);
    if (!place)
        return SM_REAL(mremap)(at, old_size, size, MREMAP_MAYMOVE);
    memory_event(SM_EV_FREE, at, old_size, pc);
    result = SM_REAL(mremap)(at, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    if (result != MAP_FAILED) {
        took(result, size);
        memory_event(SM_EV_ALLOC, result, size, pc);
    }
    return result;
}

/* To a place of the program's choice. */
static void *remap_fixed(void *at, size_t old_size, size_t size, int flags, void *to, void *pc)
{
    void *result = SM_REAL(mremap)(at, old_size, size, flags, to);
    if (result != MAP_FAILED) {
        memory_event(SM_EV_FREE, at, old_size, pc);
        memory_event(SM_EV_ALLOC, result, size, pc);
    }
    return result;
}

SM_EXPORT void *mremap(void *at, size_t old_size, size_t size, int flags, ...)
{
    void *to = NULL;
    if (flags & MREMAP_FIXED) {
        va_list args;
        va_start(args, flags);
        to = va_arg(args, void *);
        va_end(args);
    }
    if (sm_self() && (flags & MREMAP_FIXED))
        return remap_fixed(at, old_size, size, flags, to, SM_CALLER());
    if (!sm_self() || flags != MREMAP_MAYMOVE)
        return SM_REAL(mremap)(at, old_size, size, flags, to);
    return remap(at, old_size, size, SM_CALLER());
}

/* ---- System V segments ---- */

SM_EXPORT void *shmat(int id, const void *at, int flags)
{
    SM_PASS(shmat, id, at, flags);
    size_t size = sm_segment_size(id);
    void *place = at || !size ? NULL : place_for(size);
    /* REMAP: replaces what an earlier execution may have left */
    void *result =
        place ? SM_REAL(shmat)(id, place, flags | SHM_REMAP) : SM_REAL(shmat)(id, at, flags);
    if (result == MAP_FAILED)
        return result;
    sm_livelock_never();
    sm_object_memory_shared();
    sm_segment_attached(result, size);
    took(result, size);
    memory_event(SM_EV_ALLOC, result, size, SM_CALLER());
    return result;
}

SM_EXPORT int shmdt(const void *at)
{
    SM_PASS(shmdt, at);
    size_t size = sm_segment_at(at);
    if (size)
        memory_event(SM_EV_FREE, (void *)at, size, SM_CALLER());
    int result = SM_REAL(shmdt)(at);
    if (result == 0 && size) {
        sm_segment_detached(at);
        sm_sync_forget((void *)at, size);
        gave_back((void *)at, size);
    }
    return result;
}
