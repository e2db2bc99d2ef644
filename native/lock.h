/*
 * lock.h - a spin lock of one word, for the runtime's own tables.
 *
 * A waiting thread yields after a while: with thousands of threads on a few cores the holder is
 * likely to be preempted, and spinning keeps it from running (2,000 threads that ended together
 * spent 18 seconds that way).
 */
#ifndef SM_NATIVE_LOCK_H
#define SM_NATIVE_LOCK_H

#include <stdint.h>

/*
 * All locks of the runtime, outermost first: a thread acquires only locks below those it holds.
 * Debug builds check this (CMAKE_BUILD_TYPE=Debug). Only the detector has locks: in controlled
 * execution one thread runs at a time, and a campaign's workers are processes.
 *
 * Under SEVERAL a thread locks one record after the other, and so acquires GRANULE while it holds
 * RECORD. No other thread holds two records, and neighbouring granules have different stripes
 * (planes.c), so the holder of such a stripe never waits for a record that is held here.
 */
enum sm_lock_rank {
    SM_LOCK_REPORTS,  /* findings, ended histories: report.c */
    SM_LOCK_WINDOW,   /* moving the window of epochs: window.c */
    SM_LOCK_JOINABLE, /* handles of threads: intercept/thread.c */
    SM_LOCK_WAITS,    /* waits for condition variables: misuse.c */
    SM_LOCK_THREADS,  /* slots: epoch.c */
    SM_LOCK_ORIGINS,  /* origins of blocks: blocks.c */
    SM_LOCK_SEVERAL,  /* atomic.c */
    SM_LOCK_GRANULE,  /* stripes: planes.c */
    SM_LOCK_RECORD,   /* one granule's: record.h */
    SM_LOCK_RECORDS,  /* the list of free records: record.c */
    SM_LOCK_MEMORY,   /* the allocator: memory.c */
};

#ifdef SM_DEBUG
/* Dies if the running thread holds a lock that comes later. */
void sm_lock_rank_taken(enum sm_lock_rank rank);
void sm_lock_rank_released(enum sm_lock_rank rank);
#else
static inline void sm_lock_rank_taken(enum sm_lock_rank rank)
{
    (void)rank;
}

static inline void sm_lock_rank_released(enum sm_lock_rank rank)
{
    (void)rank;
}
#endif

void sm_lock_word_slowly(uint32_t *word);

static inline void sm_lock_word(uint32_t *word, enum sm_lock_rank rank)
{
    sm_lock_rank_taken(rank);
    /* acquire: sees what the last holder wrote */
    if (__builtin_expect(__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) != 0, 0))
        sm_lock_word_slowly(word);
}

static inline void sm_unlock_word(uint32_t *word, enum sm_lock_rank rank)
{
    sm_lock_rank_released(rank);
    __atomic_store_n(word, 0, __ATOMIC_RELEASE); /* pairs with sm_lock_word */
}

#endif
