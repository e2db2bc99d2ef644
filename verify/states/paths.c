#include "verify/states/paths.h"

#include "analysis/memory.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "runtime/sched/sched.h"
#include "verify/explore.h"
#include "verify/graph/objects.h"
#include "verify/loops/await.h"
#include "verify/pool.h"
#include "verify/results/prints.h"
#include "verify/run/frees.h"
#include "verify/run/outside.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/run/spurious.h"
#include "verify/states/certify.h"
#include "verify/states/path.h"
#include "verify/sync.h"
#include "verify/trees/effects.h"

/* Orders of atomics seen in any run, overall and for each location. */
enum { USE_SEQ_CST = 1, USE_WEAK = 2, USE_RELAXED = 4, USE_SEQ_CST_FENCE = 8 };

static struct uses {
    uint8_t all;
    uint8_t of[UINT16_MAX];
} *uses;

bool sm_paths_on(void)
{
    return sm_option(model) >= SM_MODEL_HB || sm_option(states);
}

void sm_paths_start(void)
{
    uses = sm_map(NULL, sizeof *uses);
    sm_path_steps_start();
    sm_local_start();
    sm_machine_start();
    sm_certify_start();
    sm_path_plan->search = sm_search_start();
}

static void start(void)
{
    sm_provenance_start();
    sm_explore_begin();
    sm_objects_begin();
    sm_path_steps_begin();
    sm_path_places_begin();
    sm_path_loops_begin();
    sm_outside_begin();
    sm_prints_begin();
}

static struct sm_local node_of(const struct sm_event *event, int kind, uint16_t loc)
{
    bool is_volatile = event->order == SM_ORDER_PLAIN && (event->flags & SM_RECORD_VOLATILE);
    bool pointer = event->site && (event->site->flags & SM_SITE_POINTER);
    struct sm_local node = sm_local_of(event, kind, loc);
    if (event->order == SM_ORDER_PLAIN && (event->flags & SM_RECORD_KEPT))
        node.order = SM_ORDER_RELAXED;
    if (is_volatile && sm_option(volatile_as) == SM_VOLATILE_RELAXED)
        node.order = SM_ORDER_RELAXED;
    if (is_volatile && sm_option(volatile_as) == SM_VOLATILE_SEQ_CST)
        node.order = SM_ORDER_SEQ_CST;
    if (event->order == SM_ORDER_PLAIN && node.order != SM_ORDER_PLAIN)
        node.flags = SM_LOCAL_NOT_ATOMIC;
    if (event->size == 8 && !pointer && node.order == SM_ORDER_PLAIN)
        node.flags = SM_LOCAL_HALVES;
    return node;
}

/* Reading from it, or its own read, need not synchronise. */
static bool is_relaxed(const struct sm_local *node)
{
    bool acquires = node->kind == SM_LOCAL_WRITE || sm_order_acquires(node->order);
    bool releases = node->kind == SM_LOCAL_READ || sm_order_releases(node->order);
    return !acquires || !releases;
}

static uint8_t use_of(const struct sm_local *node)
{
    bool seq_cst = node->order == SM_ORDER_SEQ_CST;
    uint8_t use = 0;
    if (node->kind == SM_LOCAL_FENCE)
        return seq_cst ? USE_SEQ_CST | USE_SEQ_CST_FENCE : 0;
    if (node->kind == SM_LOCAL_RMW && node->op == SM_OP_CAS)
        use = use_of(&(struct sm_local){.kind = SM_LOCAL_READ, .order = node->order_fail});
    if (seq_cst)
        return use | USE_SEQ_CST;
    return use | USE_WEAK | (is_relaxed(node) ? USE_RELAXED : 0);
}

/* The machine takes the order of execution as the order of seq_cst operations (machine.h). Weaker
   operations do not break that if all communication through them is happens-before, and if no
   location has both: then whatever contradicts the order of execution is a cycle in RC11's psc,
   too. Otherwise the exploration is incomplete. */
static bool covers(uint8_t all, uint8_t of_location)
{
    bool mixed = (all & USE_SEQ_CST) && (all & USE_WEAK);
    bool harmful = (all & (USE_RELAXED | USE_SEQ_CST_FENCE)) ||
                   ((of_location & USE_SEQ_CST) && (of_location & USE_WEAK));
    return !mixed || !harmful;
}

static void note_use(const struct sm_local *node, const struct sm_event *event)
{
    bool access = node->kind != SM_LOCAL_FENCE;
    if (sm_local_is_plain(node) || sm_share_is_alone(event->thread->id))
        return;
    /* Strong accesses have no order but that of execution. */
    if (access && !sm_lies_at(node->site))
        return;
    if (sm_machine_is_sc()) {
        sm_control->explored.weak |= (use_of(node) & USE_WEAK) != 0;
        if (use_of(node) & USE_RELAXED)
            sm_control->explored.cut |= SM_CUT_BIT(APART);
        return;
    }
    if (access && sm_control->lie_mode == SM_LIE_LIST && node->order == SM_ORDER_SEQ_CST)
        sm_control->explored.cut |= SM_CUT_BIT(SEQ_CST_LIES);
    uint8_t use = use_of(node);
    uses->all |= use;
    uses->of[node->loc] |= node->kind == SM_LOCAL_FENCE ? 0 : use;
    sm_control->explored.weak |= (use & USE_WEAK) != 0;
    if (!covers(uses->all, uses->of[node->loc]))
        sm_control->explored.cut |= SM_CUT_BIT(SEQ_CST);
}

static void note_access(const struct sm_local *node, const struct sm_event *event)
{
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_machine_accessed(node->loc, !sm_local_is_plain(node),
                            !sm_machine_is_sc() && sm_lies_at(node->site));
    note_use(node, event);
}

/* ---- values ---- */

enum { NEWEST, PAST, FUTURE, WAYS };

static uint64_t choose_bits(uint64_t wanted)
{
    uint64_t value = 0;
    for (unsigned at = 0; at < 64; at += 16)
        value |= (uint64_t)sm_script_choose(SM_PURPOSE_VALUE, 1 << 16, wanted >> at & 0xffff) << at;
    return value;
}

/* Makes the choices by which a replay gets the same value. */
static uint64_t choose_value(struct sm_event *event, uint64_t newest, uint64_t wanted, bool future)
{
    uint32_t how = future ? FUTURE : wanted != newest ? PAST : NEWEST;
    if (sm_exploring == SM_EXPLORE_ALL)
        return wanted;
    how = sm_script_choose(SM_PURPOSE_VALUE, WAYS, how);
    if (how == PAST)
        event->flags |= SM_RECORD_STALE;
    if (how == FUTURE)
        event->flags |= SM_RECORD_FUTURE;
    return how == NEWEST ? newest : choose_bits(wanted);
}

/* ---- waiting ---- */

/* A thread never goes on, whatever the others do: the witness ends here. */
static bool is_to_stop(void)
{
    return sm_exploring == SM_EXPLORE_SCRIPT && sm_path_plan->run.starves && sm_path_is_over();
}

void sm_paths_stop(struct sm_event *event)
{
    bool asks = sm_machine_is_sc() && sm_exploring != SM_EXPLORE_ALL && sm_share_threads();
    if (asks && sm_script_choose(SM_PURPOSE_AWAIT, 2, is_to_stop()))
        sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
}

static void wait_if_idle(struct sm_event *event, bool private)
{
    uint32_t thread = event->thread->id;
    uint16_t index = sm_path_position(thread);
    bool idle = private ? sm_await_idle_privately(event, index) : sm_await_idle(event, index);
    bool stops = (idle && !sm_path_has_step(thread)) || (is_to_stop() && !private);
    if (sm_exploring != SM_EXPLORE_ALL) {
        if (sm_script_choose(SM_PURPOSE_AWAIT, 2, stops))
            sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
        return;
    }
    if (idle && private) {
        sm_path_stop(thread, SM_LOCAL_STUCK, 0);
        sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
    }
    if (idle && sm_path_ends_idle(thread, sm_await_since(event->thread)))
        sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
    if (idle && sm_path_leads_back(thread, sm_await_since(event->thread)) && stops)
        sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
}

/* ---- accesses ---- */

static uint64_t truncated(uint64_t value, unsigned size)
{
    return size < 8 ? value & ((1ul << 8 * size) - 1) : value;
}

/* The value that the read returns. */
static uint64_t read_value(struct sm_event *event, const struct sm_local *node)
{
    uint64_t newest = sm_path_place(node->loc)->value, value;
    const struct sm_move *step = sm_path_go(node, event->thread->id, newest, &value);
    if (sm_machine_is_sc())
        step = NULL; /* what the newest write has stored */
    bool plain = sm_local_is_plain(node) && node->kind == SM_LOCAL_READ;
    bool future = plain && (sm_path_is_future(step, 0) || sm_path_is_future(step, 1));
    value = choose_value(event, newest, value, future);
    if (sm_provenance_on())
        sm_path_say_where_from(event, step, node->loc);
    return value;
}

static void load(struct sm_event *event)
{
    uint16_t loc = sm_path_location(event, false);
    wait_if_idle(event, loc == SM_PRIVATE);
    if (loc == SM_PRIVATE) {
        sm_frees_private(event);
        sm_memory_load(event);
        sm_memory_check_written(event);
        return;
    }
    struct sm_local node = node_of(event, SM_LOCAL_READ, loc);
    note_access(&node, event);
    sm_outside_check(loc, event);
    event->value = read_value(event, &node);
    sm_memory_check_written(event);
    sm_outside_put(event, loc);
}

static void store(struct sm_event *event)
{
    uint64_t answer;
    uint16_t loc = sm_path_location(event, true);
    if (loc != SM_PRIVATE)
        sm_await_busy(event->thread);
    else
        sm_await_stored_privately(event, false);
    if (loc == SM_PRIVATE) {
        sm_frees_private(event);
        sm_memory_store(event);
        sm_effects_note(event);
        sm_path_loops_store(event);
        return;
    }
    sm_paths_stop(event);
    event->value = truncated(event->value, event->size);
    struct sm_local node = node_of(event, SM_LOCAL_WRITE, loc);
    note_access(&node, event);
    sm_path_go(&node, event->thread->id, 0, &answer);
    sm_path_note_write(event, loc);
    sm_outside_put(event, loc);
}

static void rmw(struct sm_event *event)
{
    uint16_t loc = sm_path_location(event, true);
    wait_if_idle(event, loc == SM_PRIVATE);
    if (loc == SM_PRIVATE) {
        sm_frees_private(event);
        if (sm_spurious_fails_privately(event))
            return;
        if (sm_memory_update(event))
            sm_await_busy(event->thread);
        sm_spurious_done(event);
        sm_effects_note(event);
        sm_path_loops_store(event);
        return;
    }
    struct sm_local node = node_of(event, SM_LOCAL_RMW, loc);
    bool fails = sm_spurious_fails(event, NULL);
    if (fails) {
        node.kind = SM_LOCAL_READ;
        node.order = node.order_fail;
        node.op = 0;
        node.value = node.old = 0;
    }
    note_access(&node, event);
    uint64_t read = read_value(event, &node);
    if (fails) {
        sm_spurious_fail(event, read);
    } else if (sm_rmw_apply(event, read)) {
        if (event->value != read || sm_option(count))
            sm_await_busy(event->thread);
        sm_path_note_write(event, loc);
    }
    sm_spurious_done(event);
    sm_outside_put(event, loc);
}

/* ---- everything else ---- */

/* An event that neither reads nor writes. */
static void other_event(const struct sm_event *event, int kind, uint64_t value, uint64_t otherwise)
{
    uint64_t answer;
    struct sm_local node = {.kind = (uint8_t)kind,
                            .order = event->order,
                            .value = value,
                            .site = sm_site_number(event->site)};
    sm_path_go(&node, event->thread->id, otherwise, &answer);
}

uint32_t sm_paths_choice(uint32_t thread, uint32_t n)
{
    struct sm_local node = {.kind = SM_LOCAL_CHOICE, .value = n, .site = SM_NO_SITE};
    uint64_t answer;
    sm_path_go(&node, thread, 0, &answer);
    return (uint32_t)answer;
}

static void spawn(const struct sm_event *event)
{
    sm_path_loops_change(event->thread->id);
    uint32_t thread = event->thread->id, child = (uint32_t)event->old, node = sm_path_here(thread);
    if (child >= SM_MACHINE_THREADS)
        sm_end(SM_END_REFUSED, 0, "verify: more than %u threads in model hb", SM_MACHINE_THREADS);
    sm_share_spawned(thread, child);
    other_event(event, SM_LOCAL_SPAWN, child, 0);
    if (sm_exploring != SM_EXPLORE_FREE)
        sm_path_is_born(child, node);
}

static void fence(const struct sm_event *event)
{
    struct sm_local node = node_of(event, SM_LOCAL_FENCE, 0);
    uint64_t answer;
    if (event->kind == SM_EV_ASM)
        sm_effects_note_unknown(event->thread->id); /* it may have stored something */
    if (event->kind == SM_EV_ASM)
        node.order = SM_ORDER_SEQ_CST;
    if (!sm_share_threads() || sm_exploring == SM_EXPLORE_FREE)
        return;
    note_use(&node, event);
    sm_path_go(&node, event->thread->id, 0, &answer);
}

static void sync(struct sm_event *event)
{
    if (!sm_sync_is_waiting(event->kind))
        sm_await_busy(event->thread);
    switch (event->kind) {
    case SM_EV_SPAWN:
        spawn(event);
        break;
    case SM_EV_JOIN:
        sm_share_joined(event->thread->id, (uint32_t)event->old);
        other_event(event, SM_LOCAL_JOIN, event->old, sm_path_here((uint32_t)event->old));
        break;
    case SM_EV_END:
        if (sm_exploring != SM_EXPLORE_FREE)
            sm_path_end(event->thread);
        break;
    case SM_EV_ASM:
    case SM_EV_FENCE:
        fence(event);
        break;
    case SM_EV_BEGIN:
        sm_await_thread(event);
        break;
    case SM_EV_INIT:
        sm_paths_release(event, 0, true);
        break;
    default:
        if (!sm_sync_is_modelled(event->kind) && sm_share_threads())
            sm_sync_refuse(event->kind);
    }
}

static void forget(uintptr_t addr, uint64_t size)
{
    const struct sm_event event = {
        .kind = SM_EV_FREE, .thread = sm_running(), .addr = addr, .value = size};
    sm_provenance_forget(addr, size);
    if (!event.thread)
        return;
    sm_effects_note(&event);
    sm_path_loops_change(event.thread->id);
}

static void switched(struct sm_thread *from, struct sm_thread *to)
{
    (void)to;
    sm_prints_switch(from->id);
}

void sm_paths_allocated(const struct sm_event *event)
{
    sm_outside_allocated(event);
    sm_effects_note(event);
    sm_path_loops_change(event->thread->id);
}

const struct sm_model sm_model_paths = {.start = start,
                                        .load = load,
                                        .store = store,
                                        .rmw = rmw,
                                        .sync = sync,
                                        .forget = forget,
                                        .switched = switched};
