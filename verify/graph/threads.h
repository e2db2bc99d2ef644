/* threads.h - sets of threads, as bits. */
#ifndef SM_VERIFY_GRAPH_THREADS_H
#define SM_VERIFY_GRAPH_THREADS_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 sm_threads;

static inline sm_threads sm_threads_of(uint32_t thread)
{
    return (sm_threads)1 << thread;
}

static inline bool sm_threads_have(sm_threads set, uint32_t thread)
{
    return set >> thread & 1;
}

static inline uint32_t sm_threads_count(sm_threads set)
{
    return (uint32_t)(__builtin_popcountll((uint64_t)set) +
                      __builtin_popcountll((uint64_t)(set >> 64)));
}

/* The smallest number in a set that is not empty. */
static inline uint32_t sm_threads_first(sm_threads set)
{
    uint64_t low = (uint64_t)set;
    return (uint32_t)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64)));
}

#endif
