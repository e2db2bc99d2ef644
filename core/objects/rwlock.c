/* Read-write locks. */
#include "core/objects/objects.h"

/* `arg`: number of waiting writers that have priority; 0 if the lock does not prefer writers. */
enum sm_step sm_read_lock_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    if (state == SM_OBJECT_WRITER || arg)
        return SM_STEP_WAITS;
    return state == UINT32_MAX ? SM_STEP_FAILS : sm_step_take(next, state + 1);
}

enum sm_step sm_read_unlock_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    if (state == SM_OBJECT_FREE || state == SM_OBJECT_WRITER)
        return SM_STEP_FAILS;
    return sm_step_take(next, state - 1);
}

enum sm_step sm_write_lock_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    return state == SM_OBJECT_FREE ? sm_step_take(next, SM_OBJECT_WRITER) : SM_STEP_WAITS;
}
