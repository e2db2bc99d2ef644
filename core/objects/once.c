/* Once routines, and the static locals of C++. */
#include "core/objects/objects.h"

/* TAKES: the caller runs the routine. */
enum sm_step sm_once_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    switch (state) {
    case SM_ONCE_NEW:
        return sm_step_take(next, SM_ONCE_RUNNING);
    case SM_ONCE_DONE:
        return SM_STEP_PASSES;
    default:
        return SM_STEP_WAITS;
    }
}
