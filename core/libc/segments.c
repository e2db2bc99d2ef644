#include "core/libc/segments.h"

#include <stdint.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "base/sys.h"

/* Attachments beyond the limit are new memory when they begin, but not when they end. */
enum { SEGMENTS = 256, SEGMENT_PAGE = 4096 };

static struct segment {
    uintptr_t at; /* 0: free. Written last by shmat, so that who finds it knows its size */
    size_t size;
} segments[SEGMENTS] SM_SELDOM;

size_t sm_segment_size(int id)
{
    struct shmid_ds status;
    if (sm_syscall(SYS_shmctl, (long)id, (long)IPC_STAT, &status) < 0)
        return 0;
    return (status.shm_segsz + SEGMENT_PAGE - 1) & ~(size_t)(SEGMENT_PAGE - 1);
}

static struct segment *find(uintptr_t at)
{
    for (int i = 0; i < SEGMENTS; i++)
        if (__atomic_load_n(&segments[i].at, __ATOMIC_ACQUIRE) == at)
            return &segments[i];
    return NULL;
}

void sm_segment_attached(const void *at, size_t size)
{
    enum { SEGMENT_TAKEN = 1 }; /* no segment has this address */
    for (int i = 0; i < SEGMENTS; i++) {
        uintptr_t none = 0;
        sm_seldom_touch(&segments[i], sizeof *segments);
        if (!__atomic_compare_exchange_n(&segments[i].at, &none, SEGMENT_TAKEN, false,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        segments[i].size = size;
        __atomic_store_n(&segments[i].at, (uintptr_t)at, __ATOMIC_RELEASE);
        return;
    }
}

size_t sm_segment_at(const void *at)
{
    const struct segment *segment = at ? find((uintptr_t)at) : NULL;
    return segment ? segment->size : 0;
}

void sm_segment_detached(const void *at)
{
    struct segment *segment = at ? find((uintptr_t)at) : NULL;
    if (!segment)
        return;
    sm_seldom_touch(segment, sizeof *segment);
    __atomic_store_n(&segment->at, 0, __ATOMIC_RELEASE);
}
