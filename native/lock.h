/*
 * lock.h - a lock that is one word, for the runtime's own tables.
 *
 * Whoever waits lets others run after a while: with thousands of threads on a few cores the holder
 * is likely not to be running, and who spins for his turn of the processor keeps it from going on
 * (2,000 threads that ended together spent 18 seconds so).
 */
#ifndef SM_NATIVE_LOCK_H
#define SM_NATIVE_LOCK_H

#include <stdint.h>

void sm_lock_word_slowly(uint32_t *word);

static inline void sm_lock_word(uint32_t *word)
{
    /* acquire: what the last holder wrote is seen after it */
    if (__builtin_expect(__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) != 0, 0))
        sm_lock_word_slowly(word);
}

static inline void sm_unlock_word(uint32_t *word)
{
    __atomic_store_n(word, 0, __ATOMIC_RELEASE); /* pairs with sm_lock_word */
}

#endif
