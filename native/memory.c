/*
 * memory.c - the runtime's own allocator for several threads: that of base/sys.c under a lock, and
 * memset and memcpy without vector registers.
 */
#include "base/sys.h"
#include "native/lock.h"

void *sm_alloc_one_thread(size_t size);
void sm_free_one_thread(void *block, size_t size);

static uint32_t lock; /* the allocator's lists */

void *sm_alloc(size_t size)
{
    sm_lock_word(&lock, SM_LOCK_MEMORY);
    void *block = sm_alloc_one_thread(size);
    sm_unlock_word(&lock, SM_LOCK_MEMORY);
    return block;
}

void sm_free(void *block, size_t size)
{
    sm_lock_word(&lock, SM_LOCK_MEMORY);
    sm_free_one_thread(block, size);
    sm_unlock_word(&lock, SM_LOCK_MEMORY);
}

void *sm_plain_memset(void *to, int byte, size_t size)
{
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(byte) : "memory");
    return to;
}

void *sm_plain_memcpy(void *to, const void *from, size_t size)
{
    void *at = to;
    if (size % 4 == 0 && size <= 256) { /* most clocks are copied before rep has started */
        for (size_t i = 0; i < size / 4; i++)
            ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        return to;
    }
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
    return to;
}
