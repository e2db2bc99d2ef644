/*
 * engine.c - the engines of `stalemate verify` (runtime/engine.h): the one that enumerates graphs,
 * and the one that searches states (model hb).
 *
 * A separate process replays an execution from its recorded choices (SM_EXPLORE_FREE): schedule
 * and answers then come from the record.
 */
#include "runtime/engine.h"

#include "runtime/control.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/symmetry.h"
#include "verify/loops/probe.h"
#include "verify/loops/together.h"
#include "verify/results/prints.h"
#include "verify/run/frees.h"
#include "verify/run/mirror.h"
#include "verify/run/outside.h"
#include "verify/run/spurious.h"
#include "verify/states/paths.h"
#include "verify/sync.h"
#include "verify/whole.h"

static struct sm_engine states;

static bool graph_wanted(void)
{
    return sm_option(explore) != SM_EXPLORE_OFF && !sm_paths_on();
}

static bool states_wanted(void)
{
    bool wanted = sm_option(explore) != SM_EXPLORE_OFF && sm_paths_on();
    if (wanted && sm_option(states))
        states.iteration = sm_paths_iteration;
    return wanted;
}

/* A replay must allocate exactly as the execution did that was found here. */
static void start(void)
{
    sm_explore_start();
    sm_iterations_watched = 1;
    if (sm_exploring == SM_EXPLORE_FREE)
        sm_restart_buffer();
}

static bool restarts(void)
{
    return sm_exploring == SM_EXPLORE_ALL;
}

static const struct sm_schedule *schedule(void)
{
    return sm_exploring == SM_EXPLORE_FREE ? NULL : &sm_schedule_graph;
}

static void sampled(void)
{
    sm_control->explored.sampled = 1;
}

static void refuse(enum sm_feature feature)
{
    static const char *const texts[] = {
        [SM_FEATURE_TIMED_JOIN] = "joins a thread with a time limit, or tries to; verify knows "
                                  "joining only",
        [SM_FEATURE_ROBUST_MUTEX] = "uses a robust mutex; verify knows the other mutexes only",
        [SM_FEATURE_MEMBARRIER] = "asks for a fence in other threads (membarrier); verify knows "
                                  "fences where they stand in a thread's code only",
        [SM_FEATURE_OPENMP] =
            "uses OpenMP, whose runtime (libomp) cannot be explored; verify knows "
            "threads, locks and atomics of the program's own: use hunt",
        [SM_FEATURE_FORK] = "forks; verify explores the threads of one process",
        [SM_FEATURE_WRITER_PREFERENCE] = "uses a read-write lock that prefers writers; verify "
                                         "knows the others only",
    };
    sm_end(SM_END_REFUSED, 0, "verify: the program %s", texts[feature]);
}

static void prints(void)
{
    if (sm_exploring != SM_EXPLORE_ALL)
        return;
    if (!sm_paths_on())
        sm_probe_settle(sm_running()->id);
    sm_spurious_prints(sm_running()->id);
    sm_prints_note();
}

static void wait_loop(void)
{
    sm_spurious_header(sm_running()->id);
}

static void refuse_asm(const struct sm_site *site)
{
    sm_end(SM_END_REFUSED, 0,
           "verify: the inline assembly at %s:%u is not understood, and what it orders cannot be "
           "explored; write it with <stdatomic.h>",
           SM_SITE_TEXT(site, file), site->line);
}

static void identified(uint32_t thread)
{
    sm_symmetry_break(&sm_exploration->symmetry, thread);
}

static bool knows_waiters(void)
{
    return !sm_option(count);
}

/* clang-format off */
#define COMMON                                                                                     \
    .start = start, .restarts = restarts, .schedule = schedule,                                    \
    .sync = &sm_sync_verify, .keeps_output = true, .by_bytes = true,                               \
    .answer = sm_explore_answer, .thread_number = sm_explore_thread_number,                        \
    .identified = identified, .sampled = sampled, .require = refuse,                          \
    .unknown_asm = refuse_asm, .iteration_effect = sm_explore_iteration_effect,                    \
    .prints = prints, .wait_loop = wait_loop, .lock_together = sm_together_mark,                   \
    .knows_waiters = knows_waiters, .called = sm_whole_called
/* clang-format on */

static struct sm_engine graph = {
    .name = "graph",
    .wanted = graph_wanted,
    .model = &sm_model_graph,
    .next = sm_explore_next,
    .ending = sm_explore_ending,
    .give_way = sm_explore_give_way,
    .allocated = sm_explore_allocated,
    .freeing = sm_frees_step,
    .returning = sm_frees_return,
    .iteration = sm_explore_iteration,
    COMMON,
};
const struct sm_engine *const sm_engine_graph = &graph;

static struct sm_engine states = {
    .by_values = true,
    .name = "states",
    .wanted = states_wanted,
    .model = &sm_model_paths,
    .next = sm_paths_next,
    .ending = sm_paths_ending,
    .allocated = sm_paths_allocated,
    .freeing = sm_frees_cut,
    .returning = sm_frees_cut,
    COMMON,
};
const struct sm_engine *const sm_engine_states = &states;

/* Only an execution that is worth a witness is recorded, in a second run. */
void sm_explore_set_mode(enum sm_explore_mode mode)
{
    bool all = mode == SM_EXPLORE_ALL;
    sm_exploring = mode;
    graph.records = states.records = !all;
    graph.replay = all && !sm_mirror_is_on() ? sm_explore_replay : NULL;
}
