/* Mutexes and everything else that one thread holds at a time. */
#include <errno.h>

#include "core/objects/objects.h"

enum sm_step sm_lock_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    return state == SM_OBJECT_FREE ? sm_step_take(next, SM_OBJECT_HELD) : SM_STEP_WAITS;
}

enum sm_step sm_mutex_relock(enum sm_mutex_type type, uint32_t *depth)
{
    if (type == SM_MUTEX_NORMAL)
        return SM_STEP_WAITS;
    if (type == SM_MUTEX_ERRORCHECK || *depth == UINT32_MAX)
        return SM_STEP_FAILS;
    ++*depth;
    return SM_STEP_TAKES;
}

int sm_mutex_relock_error(enum sm_mutex_type type, bool tries)
{
    if (type == SM_MUTEX_RECURSIVE)
        return EAGAIN;
    return tries ? EBUSY : EDEADLK;
}

enum sm_step sm_mutex_unlock_step(enum sm_mutex_type type, uint32_t *depth)
{
    if (type == SM_MUTEX_NORMAL)
        return SM_STEP_TAKES;
    if (*depth == 0)
        return SM_STEP_FAILS;
    return --*depth ? SM_STEP_PASSES : SM_STEP_TAKES;
}
