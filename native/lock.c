/* lock.c - see lock.h. */
#include "native/lock.h"

#include "base/sys.h"

void sm_lock_word_slowly(uint32_t *word)
{
    unsigned spins = 0;
    do {
        while (__atomic_load_n(word, __ATOMIC_RELAXED) && ++spins % 64)
            __builtin_ia32_pause();
        if (spins++ > 256)
            sm_syscall(SYS_sched_yield);
    } while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE)); /* as in sm_lock_word */
}

#ifdef SM_DEBUG

static __thread uint32_t held; /* a bit for each rank */

static uint32_t bit(enum sm_lock_rank rank)
{
    return 1u << rank;
}

void sm_lock_rank_taken(enum sm_lock_rank rank)
{
    uint32_t later = held & ~(bit(rank) - 1);
    if ((held & bit(SM_LOCK_SEVERAL)) && (rank == SM_LOCK_GRANULE || rank == SM_LOCK_RECORD))
        later &= ~bit(SM_LOCK_RECORD);
    if (later)
        sm_die("lock of rank %u is taken by a thread that holds %x", (unsigned)rank, held);
    held |= bit(rank);
}

void sm_lock_rank_released(enum sm_lock_rank rank)
{
    held &= ~bit(rank);
}

#endif
