/* The table of operations and their common functions: see objects.h. */
#include "abi/site.h"
#include "core/objects/objects.h"

const struct sm_object_rule sm_object_rules[SM_OBJECT_OPS] = {
    [SM_DO_NOTHING] = {sm_no_step, SM_ORDER_RELAXED, ""},
#define SM_OBJECT_OP(name, step, order, what) [SM_DO_##name] = {step, SM_ORDER_##order, what},
#include "core/objects/objects.def"
};

enum sm_step sm_no_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    (void)state;
    (void)arg;
    (void)next;
    return SM_STEP_PASSES;
}

bool sm_object_gives(enum sm_object_op op)
{
    return op == SM_DO_NOTHING || op == SM_DO_SEM_POST || op == SM_DO_READ_UNLOCK;
}

bool sm_object_excludes(enum sm_object_op op)
{
    return op != SM_DO_NOTHING && op < SM_DO_COND_ENTER;
}

uint64_t sm_object_told(enum sm_object_op op, enum sm_step step, uint64_t state, uint64_t arg)
{
    switch (op) {
    case SM_DO_SEM_VALUE:
        return state;
    case SM_DO_COND_LEAVE_TIMED:
        return sm_cond_is_woken(state, (uint32_t)arg);
    case SM_DO_BARRIER_DEPART:
        return sm_barrier_is_serial(state, (uint32_t)arg);
    case SM_DO_COND_SIGNAL:
    case SM_DO_COND_BROADCAST:
    case SM_DO_BARRIER_ARRIVE:
        return 0;
    default:
        return step;
    }
}

uint32_t sm_object_candidates(enum sm_object_op op, uint64_t state, uint64_t arg)
{
    if (op == SM_DO_COND_SIGNAL)
        return (uint32_t)state;
    return op == SM_DO_BARRIER_ARRIVE ? sm_barrier_candidates(state, arg) : 0;
}

uint64_t sm_object_pick(enum sm_object_op op, uint64_t arg, uint32_t thread)
{
    if (op == SM_DO_COND_SIGNAL)
        return thread;
    return op == SM_DO_BARRIER_ARRIVE ? sm_barrier_pick(arg, thread) : arg;
}
