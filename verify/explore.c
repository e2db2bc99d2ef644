#include "verify/explore.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "verify/consistency/axioms.h"
#include "verify/consistency/races.h"
#include "verify/exploration.h"
#include "verify/graph/order.h"
#include "verify/graph/preempt.h"
#include "verify/graph/symmetry.h"
#include "verify/loops/await.h"
#include "verify/loops/iteration.h"
#include "verify/loops/probe.h"
#include "verify/loops/together.h"
#include "verify/loops/undone.h"
#include "verify/pool.h"
#include "verify/results/estimate.h"
#include "verify/results/outcomes.h"
#include "verify/results/parcel.h"
#include "verify/results/prints.h"
#include "verify/results/results.h"
#include "verify/run/frees.h"
#include "verify/run/mirror.h"
#include "verify/run/misuses.h"
#include "verify/run/outside.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/run/spurious.h"
#include "verify/states/paths.h"
#include "verify/trees/effects.h"
#include "verify/trees/learn.h"
#include "verify/trees/walk.h"
#include "verify/whole.h"

enum { MAX_SIGNATURES = 1024 };

static struct exploration_state {
    enum sm_explore_mode mode;
    bool remarked;       /* the execution is a violation by its output (sm_outcomes_remark) */
    bool violates;       /* the execution that is run again is a violation */
    bool stopped;        /* a thread failed, or an assumption did; the others continue */
    bool complete;       /* the last graph is an execution; while estimating */
    uint64_t class_size; /* of the last graph: symmetry.h */
    struct sm_ending ending;
    uint32_t failed_thread; /* runs first when the script is over */
    bool crashed;           /* the script is for a crash, or a misuse */
    uint64_t signatures[MAX_SIGNATURES];
    uint32_t n_signatures;
} *state;

enum sm_explore_mode sm_exploring;

struct sm_exploration *sm_exploration;

static void start_exploration(void)
{
    sm_exploration = sm_pool_get(sizeof *sm_exploration);
    sm_frontier_init(&sm_exploration->frontier);
    sm_replay_init(&sm_exploration->replay);
    sm_exploration->axioms = sm_axioms_new(sm_option(model));
    sm_stepper_init(&sm_exploration->walks, &sm_exploration->frontier, sm_exploration->axioms);
    sm_symmetry_init(&sm_exploration->symmetry);
    sm_exploration->walks.symmetry = &sm_exploration->symmetry;
    sm_exploration->walks.sequential = sm_preempt_on();
    sm_exploration->runs = sm_exploration->walks; /* one at a time: scratch is shared */
    sm_exploration->runs.replay = sm_run_replay;
    sm_exploration->runs.added = sm_run_added;
}

static void begin_run(void)
{
    struct sm_stepper *stepper = &sm_exploration->runs;
    stepper->gives_last = stepper->blocked = stepper->impossible = false;
    stepper->choose = sm_exploring != SM_EXPLORE_ALL ? sm_script_pick
                      : sm_mirror_is_on()            ? sm_mirror_pick
                                                     : NULL;
    stepper->sequential = sm_exploring == SM_EXPLORE_ALL && sm_preempt_on();
    sm_replay_begin(&sm_exploration->replay, sm_graph_now());
}

void sm_explore_start(void)
{
    sm_explore_set_mode((enum sm_explore_mode)sm_option(explore));
    sm_pool_start();
    state = sm_pool_get(sizeof *state);
    memset(state, 0, sizeof *state);
    state->mode = sm_exploring;
    sm_preempt_start();
    start_exploration();
    sm_script_start();
    sm_run_schedule_start();
    sm_objects_start();
    sm_share_start();
    sm_effects_start();
    sm_spurious_start();
    sm_learn_start();
    sm_await_start();
    sm_iteration_start();
    sm_outside_start();
    sm_probe_start();
    sm_undone_start();
    sm_together_start();
    sm_order_start();
    sm_outcomes_start();
    sm_prints_start();
    sm_races_start();
    if (sm_paths_on())
        sm_paths_start();
    sm_mirror_start();
    sm_parcel_start();
    sm_estimate_start();
}

void sm_explore_begin(void)
{
    sm_explore_set_mode(state->mode);
    state->stopped = false;
    sm_run_schedule_begin();
    sm_share_begin();
    sm_await_begin();
    sm_iteration_begin();
    sm_together_begin();
    sm_probe_begin();
    begin_run();
    sm_effects_begin();
    sm_spurious_begin();
    sm_learn_begin(sm_graph_now());
}

uint32_t sm_explore_failed_thread(void)
{
    return state->failed_thread;
}

/* ---- other choices ---- */

uint32_t sm_explore_answer(enum sm_purpose purpose, uint32_t n)
{
    switch (purpose) {
    case SM_PURPOSE_USER:
        return sm_paths_on() ? sm_paths_choice(sm_running()->id, n)
                             : sm_run_pick(sm_running()->id, n, SM_LOCAL_AT_ONCE, 0);
    case SM_PURPOSE_VALUE:
    case SM_PURPOSE_ORDER:
    case SM_PURPOSE_FLUSH:
    case SM_PURPOSE_SHARED:
    case SM_PURPOSE_AWAIT:
    case SM_PURPOSE_ELECT:
    case SM_PURPOSE_NAME:
        return sm_script_wanted();
    case SM_PURPOSE_WEAK_CAS:
    case SM_PURPOSE_SPURIOUS:
        return sm_spurious_answer();
    default:
        sm_end(SM_END_REFUSED, 0,
               "verify: the program waits in a way of which verify does not explore every "
               "order; it knows memory accesses, fences, and what pthread.h, threads.h and "
               "semaphore.h wait for");
    }
}

uint32_t sm_explore_thread_number(uint32_t next)
{
    (void)next;
    const struct sm_thread *parent = sm_running();
    return parent ? sm_share_child(parent->id) : 0;
}

/* ---- how it ends ---- */

void sm_ending_keep(struct sm_ending *to)
{
    *to = (struct sm_ending){.end = sm_control->end,
                             .status = sm_control->status,
                             .thread = sm_control->end_thread,
                             .site = sm_control->end_site,
                             .depth = sm_control->end_depth};
    memcpy(to->stack, sm_control->end_stack, sizeof to->stack);
    memcpy(to->detail, sm_control->detail, sizeof to->detail);
    if (to->end == SM_END_HARM)
        to->harm = sm_control->harm;
}

void sm_ending_put(const struct sm_ending *from)
{
    sm_control->end = from->end;
    sm_control->status = from->status;
    sm_control->end_thread = from->thread;
    sm_control->end_site = from->site;
    sm_control->end_depth = from->depth;
    memcpy(sm_control->end_stack, from->stack, sizeof from->stack);
    memcpy(sm_control->detail, from->detail, sizeof from->detail);
    if (from->end == SM_END_HARM)
        sm_control->harm = from->harm;
}

/* Not a failure: an assumption, or the bound. */
static bool is_dropped(uint32_t end)
{
    return end == SM_END_ASSUME || end == SM_END_HANG;
}

static void learn_stop(uint32_t thread)
{
    bool assumed = is_dropped(sm_control->end);
    struct sm_local stop = {.kind = assumed ? SM_LOCAL_ASSUME : SM_LOCAL_FAIL,
                            .value = assumed ? 0 : sm_explore_signature(),
                            .site = SM_NO_SITE};
    sm_control->explored.assumed |= assumed;
    sm_probe_settle(thread);
    sm_learn_event(thread, &stop, NULL);
}

static void stop_thread(void)
{
    learn_stop(sm_running()->id);
    bool assumed = state->stopped && is_dropped(state->ending.end);
    if (!state->stopped || assumed)
        sm_ending_keep(&state->ending);
    state->stopped = true;
    struct sm_event event = sm_sync_event(SM_EV_WAIT, NULL, 0, NULL);
    struct sm_wait wait = {.queue = state, .what = "wake-up", .deadline = SM_NO_DEADLINE};
    for (;;)
        sm_block(&wait, &event);
}

/* Several threads may be about to end the program, and any of them can be the first: one that fails
   is preferred. */
static void prefer_failing_exit(void)
{
    uint64_t right = sm_option(expect_exit);
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (sm_control->status == (int32_t)right && sm_explore_is_exiting(t) &&
            (t->pending->value & 0xff) != right) {
            sm_control->status = (int32_t)(t->pending->value & 0xff);
            sm_control->end_thread = t->id;
        }
}

void sm_explore_ending(void)
{
    if (sm_exploring != SM_EXPLORE_ALL)
        return;
    switch (sm_control->end) {
    case SM_END_HARM:
        sm_learn_off(); /* depends on what other threads did, not on this thread's own answers */
        /* fall through */
    case SM_END_ASSERT:
    case SM_END_ASSUME:
    case SM_END_HANG:
    case SM_END_SIGNAL:
        if (sm_self())
            stop_thread();
        sm_control->explored.cut |= SM_CUT_BIT(CRASH);
        break;
    case SM_END_EXIT:
    case SM_END_DEADLOCK:
        if (sm_exploration->runs.impossible)
            sm_control->end = SM_END_NONE;
        else if (state->stopped)
            sm_ending_put(&state->ending);
        if (sm_control->end == SM_END_EXIT)
            prefer_failing_exit();
        break;
    default:
        break;
    }
}

/* ---- results ---- */

uint64_t sm_explore_signature(void)
{
    uint64_t hash = 0xcbf29ce484222325u ^ sm_control->end ^ (uint64_t)sm_control->status << 8 ^
                    (uint64_t)sm_control->end_site << 32;
    for (const char *c = sm_control->detail; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    return hash;
}

bool sm_explore_was_shown(uint64_t signature)
{
    for (uint32_t i = 0; i < state->n_signatures; i++)
        if (state->signatures[i] == signature)
            return true;
    return state->n_signatures == MAX_SIGNATURES;
}

bool sm_explore_is_new(void)
{
    uint64_t hash = sm_explore_signature();
    if (sm_explore_was_shown(hash))
        return false;
    state->signatures[state->n_signatures++] = hash;
    return true;
}

static bool stays_blocked(void)
{
    const struct sm_graph *graph = sm_graph_now();
    return sm_await_stays_blocked(graph) && sm_objects_stay_blocked(graph) &&
           !sm_order_is_inside(graph);
}

static bool is_violation(void)
{
    switch (sm_control->end) {
    case SM_END_EXIT:
        return sm_control->status != (int32_t)sm_option(expect_exit) || state->remarked;
    case SM_END_SIGNAL:
    case SM_END_ASSERT:
    case SM_END_HARM:
        return true;
    case SM_END_DEADLOCK:
        return stays_blocked();
    default:
        return false;
    }
}

bool sm_explore_say_remark(void)
{
    const char *text = sm_outcomes_remark();
    state->remarked = text;
    if (text)
        sm_format(sm_control->detail, sizeof sm_control->detail, "%s", text);
    return text;
}

/* The tree can predict the exit only if the exiting thread alone determines it. */
static void learn_exit(uint32_t outcome)
{
    uint32_t thread = sm_control->end_thread;
    struct sm_local exit = {.kind = SM_LOCAL_EXIT,
                            .value = (uint64_t)sm_control->status,
                            .old = outcome,
                            .site = SM_NO_SITE};
    if (thread != 0)
        sm_learn_off();
    else if (!sm_control->explored.outcomes_lost)
        sm_learn_event(thread, &exit, NULL);
}

/* A complete graph, and the canonical one of its symmetry class (symmetry.h). */
static bool is_execution(void)
{
    if (!state->class_size)
        return false;
    switch (sm_control->end) {
    case SM_END_EXIT:
        return stays_blocked();
    case SM_END_ASSERT:
    case SM_END_HARM:
    case SM_END_SIGNAL:
        return true;
    default:
        return false;
    }
}

static bool ends_by_itself(void)
{
    return (sm_control->end == SM_END_EXIT || sm_control->end == SM_END_DEADLOCK) &&
           stays_blocked();
}

static bool is_blocked(void)
{
    return sm_control->end != SM_END_NONE && !sm_end_is_failure((int)sm_control->end) &&
           state->class_size;
}

/* An execution that stands for so many; 0: it is none. */
static void count_complete(uint64_t class_size)
{
    uint64_t *sum = &sm_control->explored.stands_for;
    sm_control->executions += class_size != 0;
    *sum = class_size < SM_MOST_STOOD_FOR - *sum ? *sum + class_size : SM_MOST_STOOD_FOR;
}

/* For what is wrong with a graph, complete or blocked. */
static void look(void)
{
    sm_races_look(sm_graph_now());
    sm_spurious_look(sm_graph_now());
}

static void count(void)
{
    state->remarked = false;
    sm_frees_judge();
    if (sm_exploration->misuses && ends_by_itself())
        sm_misuses_judge();
    /* A crash ends the execution at once, whatever the other threads might still do; so does the
       bound. */
    bool crashed = sm_control->end == SM_END_SIGNAL && !state->stopped;
    if (crashed)
        sm_control->explored.cut |= SM_CUT_BIT(CRASH);
    if (sm_control->end == SM_END_HANG)
        sm_control->explored.cut |= SM_CUT_BIT(BOUND);
    bool complete = is_execution();
    if (complete && sm_control->end == SM_END_EXIT) {
        learn_exit(sm_prints_add_outcomes());
        sm_explore_say_remark();
    }
    count_complete(complete ? state->class_size : 0);
    sm_control->explored.blocked += !complete && is_blocked();
    if (sm_control->end != SM_END_NONE)
        look();
}

void sm_explore_show_violation(void)
{
    uint32_t *word = &sm_control->explored.state;
    __atomic_store_n(word, SM_EXPLORED_VIOLATION, __ATOMIC_RELEASE); /* results before it */
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == SM_EXPLORED_VIOLATION) {
        enum { FUTEX_WAIT_SHARED = 0 };
        sm_syscall(SYS_futex, word, (long)FUTEX_WAIT_SHARED, (long)SM_EXPLORED_VIOLATION, NULL);
    }
}

static void begin_again(void)
{
    sm_mirror_give_up();
    sm_estimate_give_up();
    sm_share_settle();
    sm_await_settle();
    sm_symmetry_settle(&sm_exploration->symmetry);
    sm_learn_clear();
    sm_frontier_clear(&sm_exploration->frontier);
    sm_preempt_clear();
    sm_outcomes_clear();
    sm_races_start();
    sm_control->executions = sm_control->explored.blocked = sm_control->explored.cut = 0;
    sm_control->explored.stands_for = 0;
    sm_control->explored.estimate = 0;
}

void sm_explore_record(bool on)
{
    state->mode = on ? SM_EXPLORE_SCRIPT : SM_EXPLORE_ALL;
    sm_control->options.record = on;
}

/* Re-runs the execution for a witness, or for the stacks of races. */
static void begin_script(bool violates)
{
    sm_parcel_wait();
    state->violates = violates;
    state->crashed = sm_control->end == SM_END_HARM || sm_control->end == SM_END_SIGNAL;
    state->failed_thread = sm_control->end_thread;
    sm_explore_record(true);
    sm_script_begin();
}

static void end_script(void)
{
    sm_explore_record(false);
    sm_script_end();
    sm_races_met();
    sm_control->explored.stop |= sm_control->explored.first_race && sm_races_any();
    if (!state->violates)
        return;
    /* Exploration runs threads in another order than the execution itself. A failure that only that
       order causes does not recur: the thread that crashed waits at the end of the script. */
    if (state->crashed && sm_control->end == SM_END_DEADLOCK) {
        sm_control->explored.cut |= SM_CUT_BIT(CRASH);
        return;
    }
    if (state->remarked)
        sm_explore_say_remark();
    sm_control->explored.unseen = sm_whole_unseen();
    sm_explore_show_violation();
}

bool sm_explore_finish(void)
{
    if (sm_control->end != SM_END_ERROR && sm_control->end != SM_END_REFUSED)
        sm_control->end = SM_END_EXIT;
    if (sm_control->explored.sampled)
        sm_control->explored.cut |= SM_CUT_BIT(SAMPLED);
    sm_control->explored.unseen = sm_whole_unseen();
    sm_parcel_wait();
    sm_races_publish();
    struct sm_parcel memory = sm_parcel_memory();
    sm_outcomes_publish(&memory);
    sm_control->explored.state = SM_EXPLORED_DONE;
    return false;
}

/* The counts of the other processes are void, too. */
static bool end_with_knowledge(void)
{
    sm_parcel_give_knowledge();
    sm_control->end = SM_END_EXIT;
    return false;
}

static bool start_over(void)
{
    if (sm_parcel_is_part())
        return end_with_knowledge();
    begin_again();
    return true;
}

static void count_walk(enum sm_walk_end end, uint64_t class_size)
{
    bool blocked = end == SM_WALK_BLOCKED, complete = end == SM_WALK_EXIT || end == SM_WALK_FAILED;
    sm_control->explored.blocked += blocked;
    count_complete(complete ? class_size : 0);
    if (blocked || complete)
        look();
}

enum {
    LOOK_EVERY = 32
}; /* reads the clock as often; about the cost of one execution of a small
      test */

void sm_explore_count(uint32_t cost)
{
    struct sm_explored *explored = &sm_control->explored;
    bool looks = explored->spent / LOOK_EVERY != (explored->spent + cost) / LOOK_EVERY;
    explored->spent += cost;
    if ((explored->most && explored->spent > explored->most) ||
        (looks && explored->seconds > 0 && sm_processor_seconds() > explored->seconds))
        explored->stop = 1;
}

/* Moves to the next pending graph; false: none. `complete`: the last graph is an execution. */
static bool go_on(bool complete)
{
    if ((sm_estimating() && sm_estimate_next(complete)) || sm_estimate_begin())
        return true;
    sm_parcel_give();
    sm_explore_count(sm_graph_now()->n);
    if (sm_control->explored.stop || !sm_frontier_pop(&sm_exploration->frontier))
        return false;
    sm_preempt_resume();
    return true;
}

/* True: the program must run. */
static bool walk_on(bool complete)
{
    while (go_on(complete)) {
        enum sm_walk_end end = sm_walk();
        if (end == SM_WALK_RUN)
            return true;
        if (!sm_order_allows(sm_graph_now()) || (end != SM_WALK_PRUNED && !sm_preempt_is_new()))
            end = SM_WALK_PRUNED;
        struct sm_symmetry_judgement judged = {0};
        if (end != SM_WALK_PRUNED)
            judged =
                sm_symmetry_judge(&sm_exploration->symmetry, sm_graph_now(), end == SM_WALK_EXIT);
        if (judged.unchecked || sm_exploration->symmetry.shrank)
            return true; /* it is checked, or the exploration restarts, after this run */
        complete = judged.class_size && (end == SM_WALK_EXIT || end == SM_WALK_FAILED);
        if (!judged.class_size || sm_estimating())
            continue;
        if (end == SM_WALK_EXIT && !sm_outcomes_again(sm_walk_outcome()))
            return true;
        count_walk(end, judged.class_size);
        if (sm_races_lack_stacks()) {
            begin_script(false);
            return true;
        }
    }
    return false;
}

static bool finish_all(void)
{
    if (!sm_control->explored.stop && sm_preempt_raise())
        return true;
    if (sm_control->explored.stop)
        sm_control->explored.cut |= SM_CUT_BIT(TIME);
    return sm_explore_finish();
}

static void judge_symmetry(void)
{
    bool exits = sm_control->end == SM_END_EXIT;
    struct sm_symmetry_judgement judged =
        sm_symmetry_judge(&sm_exploration->symmetry, sm_graph_now(), exits);
    state->class_size = judged.class_size;
    if (exits && sm_control->end_thread != 0)
        sm_symmetry_break(&sm_exploration->symmetry, sm_control->end_thread);
    if (judged.unchecked)
        sm_mirror_want();
}

/* The current graph is complete. */
static void settle(void)
{
    sm_probe_settle_all();
    if (!sm_order_allows(sm_graph_now()) || !sm_preempt_is_new())
        sm_control->end = SM_END_NONE;
    else
        judge_symmetry();
}

/* To what comes after this graph. */
static bool leave_graph(void)
{
    return walk_on(state->complete) || finish_all();
}

/* The program has run with threads exchanged. */
static bool end_mirror(void)
{
    bool grew = sm_run_looked_around() || sm_share_grew() || sm_await_grew() || sm_learn_failed();
    if (!grew && sm_mirror_next())
        return true;
    return grew || sm_exploration->symmetry.shrank ? start_over() : leave_graph();
}

bool sm_explore_next(void)
{
    if (sm_mirror_is_on() && sm_control->end != SM_END_ERROR)
        return end_mirror();
    state->complete = false;
    if (sm_control->end == SM_END_ERROR || sm_control->end == SM_END_REFUSED) {
        sm_control->explored.cut |= SM_CUT_BIT(REFUSED);
        return sm_explore_finish();
    }
    if (state->mode == SM_EXPLORE_SCRIPT) {
        end_script();
    } else {
        bool grew = sm_run_looked_around() || sm_share_grew() || sm_await_grew();
        if (!grew && sm_control->end != SM_END_NONE)
            settle();
        if (!grew && !sm_estimating())
            count();
        if (grew || sm_learn_failed() || sm_exploration->symmetry.shrank)
            return start_over();
        state->complete = sm_estimating() && is_execution();
        bool violates = !sm_estimating() && is_violation() && sm_explore_is_new();
        if (violates || sm_races_lack_stacks()) {
            begin_script(violates);
            return true;
        }
    }
    return sm_mirror_begin() || leave_graph();
}
