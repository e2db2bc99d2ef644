/* Semaphores. */
#include <limits.h>

#include "core/objects/objects.h"

enum sm_step sm_sem_wait_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    return state ? sm_step_take(next, state - 1) : SM_STEP_WAITS;
}

enum sm_step sm_sem_post_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    return state == SEM_VALUE_MAX ? SM_STEP_FAILS : sm_step_take(next, state + 1);
}
