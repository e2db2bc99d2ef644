#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/module.h"
#include "runtime/sched/sched.h"
#include "verify/explore.h"
#include "verify/graph/graph.h"
#include "verify/graph/objects.h"
#include "verify/loops/await.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/states/path.h"
#include "verify/states/paths.h"

static struct sm_path_place *object_place(const struct sm_event *event, uint64_t initial,
                                          uint16_t *loc)
{
    *loc = sm_share_object(event->addr);
    struct sm_path_place *place = sm_path_place(*loc);
    if (!place->known) {
        place->known = true;
        place->value = initial;
    }
    if (sm_exploring == SM_EXPLORE_ALL && !sm_share_threads())
        sm_machine_initial(*loc, place->value);
    return place;
}

static void set_state(uint16_t loc, uint64_t state)
{
    sm_path_place(loc)->value = state;
    if (sm_exploring == SM_EXPLORE_ALL && !sm_share_threads())
        sm_machine_initial(loc, state);
}

/* The thread that the operation wakes, or tells, from 1: as the step says, or the first candidate.
 */
static uint32_t pick(const struct sm_local *node, uint64_t state, const struct sm_move *step)
{
    uint32_t set = sm_object_candidates((enum sm_object_op)node->op, state, node->value);
    uint32_t wanted = step ? step->place : (uint32_t)__builtin_ffs((int)set);
    if (!set || sm_exploring == SM_EXPLORE_ALL)
        return wanted;
    return sm_script_choose(SM_PURPOSE_ELECT, SM_GRAPH_THREADS + 1, wanted);
}

/* Returns the thread's answer; blocks for ever if there is none. */
static uint64_t operate(struct sm_event *event, const struct sm_local *node, uint64_t *state)
{
    enum sm_object_op op = (enum sm_object_op)node->op;
    uint32_t thread = event->thread->id;
    uint64_t otherwise = sm_machine_operate(node, *state), answer = otherwise;
    const struct sm_move *step = NULL;
    if (otherwise != UINT64_MAX && sm_share_threads())
        step = sm_path_go(node, thread, otherwise, &answer);
    else if (sm_share_threads() && sm_exploring != SM_EXPLORE_FREE)
        sm_path_stay(node, thread);
    if (otherwise == UINT64_MAX)
        sm_wait_for_ever(event, sm_object_rules[op].what);
    uint64_t picked = sm_object_pick(op, node->value, pick(node, *state, step)), next;
    if (sm_object_step(op, *state, picked, &next) == SM_STEP_TAKES)
        *state = next;
    return answer;
}

/* What a thread does after it may depend on what another did before, though neither happens before
   the other. */
static bool orders_nothing(const struct sm_explored_op *op)
{
    return op->try || op->op == SM_DO_SEM_VALUE || op->op == SM_DO_COND_ENTER;
}

uint64_t sm_paths_operate(struct sm_event *event, const struct sm_explored_op *op)
{
    uint16_t loc;
    sm_await_busy(event->thread);
    sm_paths_stop(event);
    if (op->op == SM_DO_BLOCK && sm_machine_is_sc())
        sm_end(SM_END_REFUSED, 0, "verify: --states does not know atomic blocks");
    if (sm_machine_is_sc() && sm_share_threads() && orders_nothing(op))
        sm_control->explored.cut |= SM_CUT_BIT(APART);
    object_place(event, op->initial, &loc);
    sm_point(event);
    uint64_t state = object_place(event, op->initial, &loc)->value;
    if (sm_exploring == SM_EXPLORE_ALL && !sm_path_place(loc)->written)
        sm_machine_initial(loc, state);
    struct sm_local node = sm_object_local(event, op, loc);
    uint64_t answer = operate(event, &node, &state);
    set_state(loc, state);
    sm_path_place(loc)->written |= sm_share_threads();
    return answer;
}

void sm_paths_release(struct sm_event *event, uint64_t value, bool anew)
{
    uint16_t loc;
    uint64_t answer;
    sm_await_busy(event->thread);
    object_place(event, value, &loc);
    if (sm_share_threads()) {
        struct sm_local node = sm_release_local(event, loc, value, anew ? SM_LOCAL_ANEW : 0);
        sm_path_go(&node, event->thread->id, 0, &answer);
        sm_path_place(loc)->written = true;
    }
    set_state(loc, value);
}
