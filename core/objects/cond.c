/* Condition variables. `arg` is the thread, except for COND_SIGNAL (see there). */
#include "core/objects/objects.h"

enum { HALF = 32 };

uint32_t sm_cond_waiting(uint64_t state)
{
    return (uint32_t)state;
}

static uint64_t woken_bit(uint64_t thread)
{
    return 1ull << (HALF + thread);
}

bool sm_cond_is_woken(uint64_t state, uint32_t thread)
{
    return state & woken_bit(thread);
}

enum sm_step sm_cond_enter_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    return sm_step_take(next, (state | 1ull << arg) & ~woken_bit(arg));
}

enum sm_step sm_cond_leave_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    return state & woken_bit(arg) ? sm_step_take(next, state & ~woken_bit(arg)) : SM_STEP_WAITS;
}

enum sm_step sm_cond_leave_timed_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    return sm_step_take(next, state & ~(1ull << arg));
}

/* `arg`: the thread to wake, counted from 1; the signal blocks until it waits. 0: none, correct
   only if no thread waits. */
enum sm_step sm_cond_signal_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    if (arg == 0)
        return sm_cond_waiting(state) ? SM_STEP_WAITS : SM_STEP_PASSES;
    uint64_t bit = 1ull << (arg - 1);
    return sm_cond_waiting(state) & bit ? sm_step_take(next, (state & ~bit) | bit << HALF)
                                        : SM_STEP_WAITS;
}

enum sm_step sm_cond_broadcast_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    return sm_cond_waiting(state)
               ? sm_step_take(next, (state | (uint64_t)sm_cond_waiting(state) << HALF) &
                                        ~(uint64_t)UINT32_MAX)
               : SM_STEP_PASSES;
}

enum sm_step sm_cond_destroy_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)arg;
    (void)next;
    return sm_cond_waiting(state) ? SM_STEP_WAITS : SM_STEP_PASSES;
}
