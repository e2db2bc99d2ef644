#include "paths.h"

#include <errno.h>
#include <string.h>

#include "../runtime/control.h"
#include "../runtime/heap.h"
#include "../runtime/model/memory.h"
#include "../runtime/module.h"
#include "../runtime/sched/sched.h"
#include "../runtime/sys.h"
#include "../runtime/trace.h"
#include "await.h"
#include "certify.h"
#include "explore.h"
#include "graph.h"
#include "local.h"
#include "machine.h"
#include "nodes.h"
#include "objects.h"
#include "outcomes.h"
#include "pool.h"
#include "results.h"
#include "search.h"
#include "share.h"
#include "tree.h"

/* How far a thread goes on when the steps are over: to learn more is useful, but a loop that
   writes would go on up to the bound each time. */
enum { FURTHER = 100 };

/* Outlives a run. */
static struct plan {
    enum sm_search_want want;
    struct sm_search_run run;
    bool seq_cst, weak; /* orders of atomics that were seen */
    uint8_t *uses;      /* of each location */
} *plan;

enum { USE_ATOMIC = 1, USE_PLAIN_WRITE = 2 };

/* Newest write of a location, or state of an object, and what memory held before its first
   event. */
struct place {
    bool known, written;
    uint64_t value, record, rf[8];
};

/* Where a write stands in the trace; a read of it that stood there before. */
struct note {
    struct sm_source name;
    uint16_t loc;
    uint64_t record;
};

/* Of this run. */
static uint32_t here[SM_MACHINE_THREADS];
static uint32_t further[SM_MACHINE_THREADS];
static struct trail {
    uint32_t *nodes; /* that the thread has come to */
    uint32_t n, capacity;
} trails[SM_MACHINE_THREADS];
static uint32_t first_left; /* step that nobody has taken */
static uint8_t *taken;      /* steps */
static struct place *places;
static uint32_t place_capacity;
static struct note *notes, *debts;
static uint32_t n_notes, note_capacity, n_debts, debt_capacity;

bool sm_paths_on(void)
{
    return sm_option(model) == SM_MODEL_HB;
}

void sm_paths_start(void)
{
    plan = sm_pool_get(sizeof *plan);
    *plan = (struct plan){.want = SM_SEARCH_LEARN};
    plan->uses = sm_map(NULL, UINT16_MAX);
    sm_local_start();
    sm_machine_start();
    sm_certify_start();
    sm_search_start();
}

static void start(void)
{
    sm_provenance_start();
    sm_explore_begin();
    sm_objects_begin();
    memset(here, 0, sizeof here);
    memset(further, 0, sizeof further);
    memset(trails, 0, sizeof trails);
    here[0] = sm_local_root();
    first_left = 0;
    taken = sm_alloc(plan->run.n_steps + 1ul);
    places = NULL;
    notes = debts = NULL;
    place_capacity = n_notes = note_capacity = n_debts = debt_capacity = 0;
}

/* ---- the steps ---- */

static void pass_taken(void)
{
    const struct sm_move *steps = plan->run.steps;
    while (first_left < plan->run.n_steps && (taken[first_left] || steps[first_left].promise))
        first_left++;
}

static bool is_over(void)
{
    pass_taken();
    return first_left >= plan->run.n_steps;
}

static const struct sm_move *take_step(uint32_t thread)
{
    const struct sm_move *steps = plan->run.steps;
    for (uint32_t i = first_left; i < plan->run.n_steps; i++)
        if (!taken[i] && !steps[i].promise && steps[i].thread == thread) {
            taken[i] = 1;
            return &steps[i];
        }
    return NULL;
}

uint32_t sm_paths_thread(void)
{
    return is_over() ? plan->run.thread : plan->run.steps[first_left].thread;
}

/* ---- the trees ---- */

/* What comes next, or that nothing does. */
static void learn_next(uint32_t thread, int kind, uint64_t value)
{
    struct sm_local end = {.kind = (uint8_t)kind, .value = value, .site = SM_NO_SITE};
    if (sm_local_at(here[thread])->kind == SM_LOCAL_UNKNOWN)
        sm_local_learn(here[thread], &end);
}

static bool is_same(const struct sm_local *then, const struct sm_local *now)
{
    bool says = now->kind == SM_LOCAL_WRITE || now->kind == SM_LOCAL_SPAWN ||
                now->kind == SM_LOCAL_RMW || now->kind == SM_LOCAL_JOIN;
    return then->kind == now->kind && then->loc == now->loc && (!says || then->value == now->value);
}

static void leave_trail(uint32_t thread)
{
    struct trail *trail = &trails[thread];
    trail->nodes = sm_grow(trail->nodes, &trail->capacity, trail->n, sizeof *trail->nodes);
    trail->nodes[trail->n++] = here[thread];
}

/* The thread is at an event; returns its node. */
static uint32_t arrive(const struct sm_local *now, uint32_t thread)
{
    uint32_t node = here[thread];
    leave_trail(thread);
    const struct sm_local *then = sm_local_at(node);
    if (then->kind == SM_LOCAL_UNKNOWN && then->depth >= sm_option(bound)) {
        learn_next(thread, SM_LOCAL_CUT, 0);
        sm_prune();
    }
    if (then->kind == SM_LOCAL_CUT)
        sm_prune();
    if (then->kind == SM_LOCAL_UNKNOWN)
        sm_local_learn(node, now);
    else if (!is_same(then, now) && sm_share_grew())
        sm_prune(); /* more is shared than when the tree was made: it is made again */
    else if (!is_same(then, now))
        sm_end(SM_END_REFUSED, 0,
               "verify: thread %u does not do the same again in the same circumstances; does the "
               "program keep state that a restart does not restore, or read the time?",
               thread);
    return node;
}

/* Returns the step that was taken, NULL where none was asked for, and goes on in the tree. */
static const struct sm_move *go_on(uint32_t node, uint32_t thread, uint64_t dull, uint64_t *answer)
{
    const struct sm_move *step = take_step(thread);
    *answer = step ? step->answer : dull;
    if (!step && sm_exploring == SM_EXPLORE_ALL && ++further[thread] > FURTHER)
        sm_prune();
    here[thread] = sm_local_child(node, *answer);
    return step;
}

static struct sm_local node_of(const struct sm_event *event, int kind, uint16_t loc)
{
    bool is_volatile = event->order == SM_ORDER_PLAIN && (event->flags & SM_RECORD_VOLATILE);
    bool pointer = event->site && (event->site->flags & SM_SITE_POINTER);
    struct sm_local node = sm_local_of(event, kind, loc);
    if (is_volatile && sm_option(volatile_as) == SM_VOLATILE_RELAXED)
        node.order = SM_ORDER_RELAXED;
    if (is_volatile && sm_option(volatile_as) == SM_VOLATILE_SEQ_CST)
        node.order = SM_ORDER_SEQ_CST;
    if (event->size == 8 && !pointer && node.order == SM_ORDER_PLAIN)
        node.flags = SM_LOCAL_HALVES;
    return node;
}

/* What the machine does not cover in full (machine.h): then not everything was explored. */
static void note_use(const struct sm_local *node)
{
    bool access = node->kind == SM_LOCAL_READ || sm_local_writes(node);
    bool plain = sm_local_is_plain(node);
    plan->seq_cst |= !plain && node->order == SM_ORDER_SEQ_CST;
    plan->weak |= !plain && access && node->order != SM_ORDER_SEQ_CST;
    if (!plain && access && node->order != SM_ORDER_SEQ_CST)
        sm_control->explored.weak = 1;
    if (access && !plain)
        plan->uses[node->loc] |= USE_ATOMIC;
    if (plain && node->kind == SM_LOCAL_WRITE)
        plan->uses[node->loc] |= USE_PLAIN_WRITE;
    if ((plan->seq_cst && plan->weak) ||
        (access && plan->uses[node->loc] == (USE_ATOMIC | USE_PLAIN_WRITE)))
        sm_control->explored.cut = 1;
}

/* ---- places ---- */

static struct place *place_of(uint16_t loc)
{
    if (loc >= place_capacity)
        places = sm_grow(places, &place_capacity, loc, sizeof *places);
    return &places[loc];
}

static void touch(const struct sm_event *event, uint16_t loc)
{
    struct place *place = place_of(loc);
    if (place->known)
        return;
    place->known = true;
    place->value = sm_memory_read(event->addr, event->size);
    if (sm_provenance_on())
        sm_provenance_get(event, place->value, place->rf);
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_machine_initial(loc, place->value);
}

/* A pointer that was foreseen may lead to memory that nobody has allocated yet. */
static uint16_t location(const struct sm_event *event, bool write)
{
    if (!sm_share_threads())
        return SM_PRIVATE;
    if (sm_heap_owns((const void *)event->addr))
        sm_heap_reserve((const void *)event->addr);
    uint16_t loc = sm_share_access(event, write);
    if (loc == SM_PRIVATE)
        return loc;
    touch(event, loc);
    return loc;
}

/* ---- the trace ---- */

static uint64_t record_of(struct sm_source name, uint16_t loc)
{
    for (uint32_t i = n_notes; i-- > 0;)
        if (notes[i].loc == loc && notes[i].name.thread == name.thread &&
            notes[i].name.nth == name.nth)
            return notes[i].record;
    return SM_RF_NONE;
}

static bool is_future(const struct sm_move *step, unsigned half)
{
    return step && step->from[half].thread != SM_NOBODY &&
           record_of(step->from[half], step->loc) == SM_RF_NONE;
}

/* The record of a write that is not there yet stands for its name until it is. */
static uint64_t stand_in(uint16_t loc, struct sm_source name)
{
    return 1ul << 63 | (uint64_t)loc << 32 | (uint64_t)name.thread << 16 | name.nth;
}

static void owe(const struct sm_move *step, unsigned half)
{
    debts = sm_grow(debts, &debt_capacity, n_debts, sizeof *debts);
    debts[n_debts++] = (struct note){step->from[half], step->loc, sm_trace_next()};
}

static void say_where_from(struct sm_event *event, const struct sm_move *step, uint16_t loc)
{
    uint64_t rf[8];
    const struct place *place = place_of(loc);
    for (unsigned b = 0; b < event->size; b++) {
        unsigned half = event->size == 8 && b >= 4;
        struct sm_source from = step ? step->from[half] : (struct sm_source){0};
        if (!step && place->written)
            rf[b] = place->record;
        else if (!step || from.thread == SM_NOBODY)
            rf[b] = place->rf[b];
        else if (is_future(step, half))
            rf[b] = stand_in(loc, from);
        else
            rf[b] = record_of(from, loc);
    }
    for (unsigned half = 0; half < 2; half++)
        if (is_future(step, half))
            owe(step, half);
    sm_read_from(event, rf);
}

static void settle(const struct note *write)
{
    for (uint32_t i = 0; i < n_debts; i++) {
        uint64_t stands = stand_in(write->loc, write->name);
        for (uint64_t r = debts[i].record; r < debts[i].record + 3 && r < sm_control->trace_limit;
             r++)
            if (sm_option(record) && sm_trace[r].rf == stands)
                sm_trace[r].rf = write->record;
    }
}

static void note_write(const struct sm_event *event, uint32_t thread, uint16_t loc, uint16_t nth)
{
    struct place *place = place_of(loc);
    place->written = true;
    place->value = event->value;
    place->record = sm_trace_next();
    if (!sm_provenance_on())
        return;
    notes = sm_grow(notes, &note_capacity, n_notes, sizeof *notes);
    notes[n_notes] = (struct note){{(uint8_t)thread, nth}, loc, place->record};
    settle(&notes[n_notes++]);
}

/* ---- values ---- */

enum { NEWEST, PAST, FUTURE, WAYS };

static uint64_t choose_bits(uint64_t wanted)
{
    uint64_t value = 0;
    for (unsigned at = 0; at < 64; at += 16)
        value |= (uint64_t)sm_tree_choose(SM_PURPOSE_VALUE, 1 << 16, wanted >> at & 0xffff) << at;
    return value;
}

/* Makes the choices by which a replay comes to the same value. */
static uint64_t choose_value(struct sm_event *event, uint64_t newest, uint64_t wanted, bool future)
{
    uint32_t how = future ? FUTURE : wanted != newest ? PAST : NEWEST;
    if (sm_exploring == SM_EXPLORE_ALL)
        return wanted;
    how = sm_tree_choose(SM_PURPOSE_VALUE, WAYS, how);
    if (how == PAST)
        event->flags |= SM_RECORD_STALE;
    if (how == FUTURE)
        event->flags |= SM_RECORD_FUTURE;
    return how == NEWEST ? newest : choose_bits(wanted);
}

/* ---- waiting ---- */

static const char loop[] = "change of what it reads, in a loop,";

/* One turn of a loop that waits leads back to where the turn began. */
static bool leads_back(uint32_t thread, uint16_t since)
{
    uint32_t node = here[thread], first = trails[thread].nodes[since];
    if (sm_local_at(node)->kind != SM_LOCAL_UNKNOWN || first == node)
        return false;
    struct sm_local same = {.kind = SM_LOCAL_SAME, .value = first};
    sm_local_learn(node, &same);
    here[thread] = first;
    return true;
}

static bool has_step(uint32_t thread)
{
    for (uint32_t i = first_left; i < plan->run.n_steps; i++)
        if (!taken[i] && !plan->run.steps[i].promise && plan->run.steps[i].thread == thread)
            return true;
    return false;
}

static void wait_if_idle(struct sm_event *event, bool private)
{
    uint32_t thread = event->thread->id;
    uint16_t index = (uint16_t)trails[thread].n;
    bool idle = private ? sm_await_idle_privately(event, index) : sm_await_idle(event, index);
    bool stops = idle && !has_step(thread);
    if (sm_exploring != SM_EXPLORE_ALL) {
        if (sm_tree_choose(SM_PURPOSE_AWAIT, 2, stops))
            sm_wait_for_ever(event, loop);
        return;
    }
    if (idle && private) {
        learn_next(thread, SM_LOCAL_STUCK, 0);
        sm_wait_for_ever(event, loop);
    }
    if (idle && leads_back(thread, sm_await_since(event->thread)) && stops)
        sm_wait_for_ever(event, loop);
}

/* ---- accesses ---- */

static uint64_t truncated(uint64_t value, unsigned size)
{
    return size < 8 ? value & ((1ul << 8 * size) - 1) : value;
}

/* What the read of a location returns. */
static uint64_t read_value(struct sm_event *event, const struct sm_local *node)
{
    uint16_t loc = node->loc;
    uint32_t thread = event->thread->id;
    uint64_t value = 0;
    const struct sm_move *step = NULL;
    if (sm_exploring != SM_EXPLORE_FREE)
        step = go_on(arrive(node, thread), thread, place_of(loc)->value, &value);
    bool plain = sm_local_is_plain(node) && node->kind == SM_LOCAL_READ;
    bool future = plain && (is_future(step, 0) || is_future(step, 1));
    value = choose_value(event, place_of(loc)->value, value, future);
    if (sm_provenance_on())
        say_where_from(event, step, loc);
    return value;
}

static void load(struct sm_event *event)
{
    uint16_t loc = location(event, false);
    wait_if_idle(event, loc == SM_PRIVATE);
    if (loc == SM_PRIVATE) {
        sm_memory_load(event);
        return;
    }
    struct sm_local node = node_of(event, SM_LOCAL_READ, loc);
    note_use(&node);
    event->value = read_value(event, &node);
    sm_memory_write(event->addr, event->size, event->value); /* for libraries */
}

/* The name of the write just made: of the event that led to where the thread is now. */
static uint16_t name_of_last(uint32_t thread)
{
    return sm_exploring == SM_EXPLORE_FREE ? 0
                                           : sm_local_at(sm_local_at(here[thread])->parent)->nth;
}

static void store(struct sm_event *event)
{
    sm_await_busy(event->thread);
    uint16_t loc = location(event, true);
    uint32_t thread = event->thread->id;
    if (loc == SM_PRIVATE) {
        sm_memory_store(event);
        return;
    }
    event->value = truncated(event->value, event->size);
    struct sm_local node = node_of(event, SM_LOCAL_WRITE, loc);
    uint64_t answer;
    note_use(&node);
    if (sm_exploring != SM_EXPLORE_FREE)
        go_on(arrive(&node, thread), thread, 0, &answer);
    note_write(event, thread, loc, name_of_last(thread));
    sm_memory_write(event->addr, event->size, event->value);
}

static void rmw(struct sm_event *event)
{
    uint16_t loc = location(event, true);
    uint32_t thread = event->thread->id;
    if (loc == SM_PRIVATE) {
        sm_await_busy(event->thread);
        sm_memory_rmw(event);
        return;
    }
    wait_if_idle(event, false);
    struct sm_local node = node_of(event, SM_LOCAL_RMW, loc);
    note_use(&node);
    if (sm_rmw_apply(event, read_value(event, &node))) {
        sm_await_busy(event->thread);
        note_write(event, thread, loc, name_of_last(thread));
    }
    sm_memory_write(event->addr, event->size, event->value);
}

/* ---- everything else ---- */

static uint64_t other_event(const struct sm_event *event, int kind, uint16_t loc, uint64_t value,
                            uint64_t dull)
{
    uint32_t thread = event->thread->id;
    uint64_t answer = dull;
    struct sm_local node = {.kind = (uint8_t)kind,
                            .order = event->order,
                            .loc = loc,
                            .value = value,
                            .site = sm_site_number(event->site)};
    if (sm_exploring != SM_EXPLORE_FREE)
        go_on(arrive(&node, thread), thread, dull, &answer);
    return answer;
}

/* ---- synchronisation objects ---- */

static struct place *object_place(const struct sm_event *event, uint64_t initial, uint16_t *loc)
{
    *loc = sm_share_object(event->addr);
    struct place *place = place_of(*loc);
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
    place_of(loc)->value = state;
    if (sm_exploring == SM_EXPLORE_ALL && !sm_share_threads())
        sm_machine_initial(loc, state);
}

/* The thread learns what comes of it, and waits for ever where nothing does. */
static uint64_t operate_in_tree(struct sm_event *event, const struct sm_local *node, uint64_t state)
{
    uint32_t thread = event->thread->id;
    uint64_t dull = sm_machine_operate(node, state), answer = dull;
    if (sm_exploring != SM_EXPLORE_FREE && sm_share_threads()) {
        uint32_t at = arrive(node, thread);
        if (dull != UINT64_MAX)
            go_on(at, thread, dull, &answer);
    }
    if (dull == UINT64_MAX)
        sm_wait_for_ever(event, sm_object_word((enum sm_object_op)node->op));
    return answer;
}

uint64_t sm_paths_operate(struct sm_event *event, const struct sm_explored_op *op)
{
    uint16_t loc;
    sm_await_busy(event->thread);
    object_place(event, op->initial, &loc);
    sm_point(event);
    uint64_t state = object_place(event, op->initial, &loc)->value, next = state;
    if (sm_exploring == SM_EXPLORE_ALL && !place_of(loc)->written)
        sm_machine_initial(loc, state);
    struct sm_local node = {.kind = SM_LOCAL_OPERATE,
                            .op = (uint8_t)op->op,
                            .flags = op->try ? SM_LOCAL_TRY : 0,
                            .loc = loc,
                            .value = op->arg,
                            .site = sm_site_number(event->site)};
    uint64_t answer = operate_in_tree(event, &node, state);
    if (sm_object_step(op->op, state, op->arg, &next) == SM_STEP_TAKES)
        set_state(loc, next);
    place_of(loc)->written |= sm_share_threads();
    return answer;
}

void sm_paths_release(struct sm_event *event, uint64_t value, bool anew)
{
    uint16_t loc;
    sm_await_busy(event->thread);
    object_place(event, value, &loc);
    if (sm_share_threads()) {
        struct sm_local node = {.kind = SM_LOCAL_RELEASE,
                                .flags = anew ? SM_LOCAL_ANEW : 0,
                                .loc = loc,
                                .value = value,
                                .site = sm_site_number(event->site)};
        uint64_t answer;
        uint32_t thread = event->thread->id;
        if (sm_exploring != SM_EXPLORE_FREE)
            go_on(arrive(&node, thread), thread, 0, &answer);
        place_of(loc)->written = true;
    }
    set_state(loc, value);
}

uint32_t sm_paths_choice(uint32_t thread, uint32_t n)
{
    struct sm_local node = {.kind = SM_LOCAL_CHOICE, .value = n, .site = SM_NO_SITE};
    uint64_t answer;
    go_on(arrive(&node, thread), thread, 0, &answer);
    return (uint32_t)answer;
}

static void spawn(const struct sm_event *event)
{
    uint32_t thread = event->thread->id, child = (uint32_t)event->old, node = here[thread];
    if (child >= SM_MACHINE_THREADS)
        sm_end(SM_END_REFUSED, 0, "verify: more than %u threads in model hb", SM_MACHINE_THREADS);
    sm_share_spawned(thread, child);
    other_event(event, SM_LOCAL_SPAWN, 0, child, 0);
    if (sm_exploring != SM_EXPLORE_FREE)
        here[child] = sm_local_child(node, SM_LOCAL_BORN);
}

static void fence(const struct sm_event *event)
{
    struct sm_local node = node_of(event, SM_LOCAL_FENCE, 0);
    if (event->kind == SM_EV_ASM)
        node.order = SM_ORDER_SEQ_CST;
    uint32_t thread = event->thread->id;
    uint64_t answer;
    if (!sm_share_threads() || sm_exploring == SM_EXPLORE_FREE)
        return;
    note_use(&node);
    go_on(arrive(&node, thread), thread, 0, &answer);
}

_Noreturn void sm_paths_refuse(const struct sm_event *event)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "../abi/events.def"
    };
    sm_end(SM_END_REFUSED, 0,
           "verify: the program uses '%s', of which verify does not explore every order in model "
           "hb; it knows memory accesses, fences, locks, semaphores, once, and threads",
           words[event->kind]);
}

static void sync(struct sm_event *event)
{
    bool waits = event->kind == SM_EV_FENCE || event->kind == SM_EV_YIELD ||
                 event->kind == SM_EV_SLEEP || event->kind == SM_EV_ENTER ||
                 event->kind == SM_EV_LEAVE;
    if (!waits)
        sm_await_busy(event->thread);
    switch (event->kind) {
    case SM_EV_SPAWN:
        spawn(event);
        break;
    case SM_EV_JOIN:
        sm_share_joined(event->thread->id, (uint32_t)event->old);
        other_event(event, SM_LOCAL_JOIN, 0, event->old, here[event->old]);
        break;
    case SM_EV_END:
        learn_next(event->thread->id, SM_LOCAL_END, 0);
        break;
    case SM_EV_ASM:
    case SM_EV_FENCE:
        fence(event);
        break;
    case SM_EV_BEGIN:
        sm_await_thread(event);
        break;
    case SM_EV_LOCK:
    case SM_EV_UNLOCK:
    case SM_EV_TRYLOCK_FAIL:
    case SM_EV_READ_LOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_LOCK:
    case SM_EV_WRITE_UNLOCK:
    case SM_EV_SEM_POST:
    case SM_EV_SEM_WAIT:
    case SM_EV_ONCE_DONE:
    case SM_EV_ONCE_PASS:
    case SM_EV_YIELD:
    case SM_EV_SLEEP:
    case SM_EV_SYSCALL:
    case SM_EV_CHOOSE:
    case SM_EV_ENTER:
    case SM_EV_LEAVE:
    case SM_EV_UNIT_BEGIN:
    case SM_EV_UNIT_END:
        break;
    default:
        if (sm_share_threads())
            sm_paths_refuse(event);
    }
}

const struct sm_model sm_model_paths = {.name = "paths",
                                        .start = start,
                                        .point = sm_model_no_point,
                                        .switched = sm_model_no_switch,
                                        .load = load,
                                        .store = store,
                                        .rmw = rmw,
                                        .sync = sync,
                                        .forget = sm_provenance_forget};

/* ---- how it ends ---- */

/* The others go on, until all that this thread foresaw has happened. */
static void stay_behind(void)
{
    struct sm_event event = sm_sync_event(SM_EV_YIELD, NULL, 0, NULL);
    struct sm_wait wait = {.queue = plan, .what = "wake-up", .deadline = SM_NO_DEADLINE};
    if (sm_exploring == SM_EXPLORE_ALL)
        for (;;)
            sm_block(&wait, &event);
    while (sm_tree_choose(SM_PURPOSE_AWAIT, 2, !is_over()))
        sm_point(&event);
}

void sm_paths_ending(void)
{
    const struct sm_thread *self = sm_running();
    struct sm_ending ending;
    if (sm_control->end != SM_END_ASSERT && sm_control->end != SM_END_ASSUME &&
        sm_control->end != SM_END_SIGNAL)
        return;
    if (!self || !sm_self())
        return;
    if (sm_exploring == SM_EXPLORE_ALL)
        learn_next(self->id, sm_control->end == SM_END_ASSUME ? SM_LOCAL_ASSUME : SM_LOCAL_FAIL,
                   sm_explore_signature());
    sm_ending_keep(&ending);
    stay_behind();
    sm_ending_put(&ending);
}

/* What ended the run ended the path of a thread too. */
static void note_end(void)
{
    uint32_t thread = sm_control->end_thread;
    if (thread >= SM_MACHINE_THREADS || !here[thread])
        return;
    if (sm_control->end == SM_END_EXIT)
        learn_next(thread, SM_LOCAL_EXIT, (uint64_t)(int64_t)sm_control->status);
    if (sm_control->end == SM_END_SIGNAL)
        learn_next(thread, SM_LOCAL_FAIL, sm_explore_signature());
}

static void begin_again(void)
{
    sm_share_settle();
    sm_await_settle();
    sm_local_clear();
    sm_machine_clear();
    sm_search_clear();
    sm_outcomes_clear();
    sm_control->explored.cut = 0;
    plan->want = SM_SEARCH_LEARN;
    plan->run = (struct sm_search_run){0};
}

static bool is_shown(void)
{
    bool wrong =
        sm_control->end == SM_END_ASSERT || sm_control->end == SM_END_SIGNAL ||
        sm_control->end == SM_END_DEADLOCK ||
        (sm_control->end == SM_END_EXIT && sm_control->status != (int32_t)sm_option(expect_exit));
    bool settled = true;
    for (uint32_t i = 0; i < n_debts; i++)
        settled &= record_of(debts[i].name, debts[i].loc) != SM_RF_NONE;
    return wrong && settled && is_over();
}

/* A crash cannot wait for what the thread foresaw to happen, and then there is no witness; the
   violation is not reported, but it is not proved absent either. */
static void end_witness(void)
{
    sm_explore_record(false);
    if (is_shown())
        sm_explore_show_violation();
    else
        sm_control->explored.cut = 1;
}

static bool find_next_run(void)
{
    plan->want = sm_search_next(&plan->run);
    if (plan->want == SM_SEARCH_WITNESS)
        sm_explore_record(true);
    return plan->want != SM_SEARCH_DONE;
}

/* A thread that waits for the end of another has not come to the event yet. */
static void note_joins(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && t < sm_thread_count(); t++) {
        const struct sm_thread *thread = sm_thread_by_id(t);
        if (thread && thread->state == SM_THREAD_BLOCKED && thread->pending &&
            thread->pending->kind == SM_EV_JOIN)
            learn_next(t, SM_LOCAL_JOIN, thread->pending->old);
    }
}

/* The run did not get to where it was to find out what comes next. */
static void give_up_unknown(void)
{
    uint32_t thread = plan->run.thread;
    if (here[thread])
        learn_next(thread, SM_LOCAL_CUT, 0);
}

bool sm_paths_next(void)
{
    if (sm_control->end == SM_END_ERROR || sm_control->end == SM_END_REFUSED) {
        sm_control->explored.cut = 1;
        sm_search_publish();
        return sm_explore_finish();
    }
    if (plan->want != SM_SEARCH_WITNESS && (sm_share_grew() || sm_await_grew())) {
        begin_again();
        return true;
    }
    note_end();
    note_joins();
    if (plan->want == SM_SEARCH_WITNESS)
        end_witness();
    else if (plan->want == SM_SEARCH_OUTCOME && sm_control->end == SM_END_EXIT)
        sm_outcomes_add();
    else if (plan->want == SM_SEARCH_LEARN)
        give_up_unknown();
    if (!sm_control->explored.stop && find_next_run())
        return true;
    sm_control->explored.cut |= sm_control->explored.stop;
    sm_search_publish();
    return sm_explore_finish();
}
