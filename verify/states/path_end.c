#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/sched/sched.h"
#include "verify/consistency/races.h"
#include "verify/explore.h"
#include "verify/loops/await.h"
#include "verify/results/outcomes.h"
#include "verify/results/prints.h"
#include "verify/results/results.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/states/path.h"
#include "verify/states/paths.h"

/* Whether an access is an error depends on the order of the threads, which the trees do not have:
   trees with and without the error may be learnt alternately for ever. */
enum { MOST_HARMS = 1000 };

/* The others continue until everything that this thread foresaw has happened. */
static void stay_behind(void)
{
    struct sm_event event = sm_sync_event(SM_EV_YIELD, NULL, 0, NULL);
    struct sm_wait wait = {.queue = sm_path_plan, .what = "wake-up", .deadline = SM_NO_DEADLINE};
    if (sm_exploring == SM_EXPLORE_ALL)
        for (;;)
            sm_block(&wait, &event);
    while (sm_script_choose(SM_PURPOSE_AWAIT, 2, !sm_path_is_over()))
        sm_point(&event);
}

void sm_paths_ending(void)
{
    const struct sm_thread *self = sm_running();
    struct sm_ending ending;
    if (!sm_end_is_failure((int)sm_control->end) && sm_control->end != SM_END_ASSUME)
        return;
    if (!self || !sm_self())
        return;
    /* Depends on what others did, not on the thread's own answers: elsewhere it may continue. */
    if (sm_control->end == SM_END_HARM) {
        sm_control->explored.cut |= SM_CUT_BIT(HARM);
        sm_path_plan->harms++;
    }
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_path_stop(self->id, sm_control->end == SM_END_ASSUME ? SM_LOCAL_ASSUME : SM_LOCAL_FAIL,
                     sm_explore_signature());
    sm_ending_keep(&ending);
    stay_behind();
    sm_ending_put(&ending);
}

/* The end of the run also ends the path of a thread. If the initial thread has called pthread_exit,
   the end of the last thread ends the program, but its path does not show that it is the last. */
static void note_end(void)
{
    uint32_t thread = sm_control->end_thread;
    if (thread >= SM_MACHINE_THREADS || !sm_path_here(thread))
        return;
    if (sm_control->end == SM_END_EXIT && sm_thread_by_id(thread)->exited)
        sm_path_stop(thread, SM_LOCAL_END, 0);
    else if (sm_control->end == SM_END_EXIT)
        sm_path_stop(thread, SM_LOCAL_EXIT, (uint64_t)(int64_t)sm_control->status);
    if (sm_control->end == SM_END_SIGNAL)
        sm_path_stop(thread, SM_LOCAL_FAIL, sm_explore_signature());
}

static void begin_again(void)
{
    sm_share_settle();
    sm_await_settle();
    sm_local_clear();
    sm_path_steps_forget();
    sm_machine_clear();
    sm_search_clear(sm_path_plan->search);
    sm_outcomes_clear();
    sm_races_start();
    sm_control->explored.cut = 0;
    sm_path_plan->want = SM_SEARCH_LEARN;
    sm_path_plan->run = (struct sm_search_run){0};
}

static bool is_wrong(void)
{
    switch (sm_control->end) {
    case SM_END_ASSERT:
    case SM_END_HARM:
    case SM_END_SIGNAL:
    case SM_END_DEADLOCK:
        return true;
    case SM_END_EXIT:
        return sm_control->status != (int32_t)sm_option(expect_exit) || sm_explore_say_remark();
    default:
        return false;
    }
}

/* A crash cannot wait for foreseen writes, and then there is no witness: the violation is not
   reported, but not proved absent either. Nothing is lost with an example. */
static void end_witness(void)
{
    sm_explore_record(false);
    if (is_wrong() && sm_path_is_settled() && sm_path_is_over())
        sm_explore_show_violation();
    else if (!sm_outcomes_is_example())
        sm_control->explored.cut |= SM_CUT_BIT(FORESEEN);
}

static bool find_next_run(void)
{
    sm_path_plan->want = sm_search_next(sm_path_plan->search, &sm_path_plan->run);
    if (sm_path_plan->want == SM_SEARCH_WITNESS)
        sm_explore_record(true);
    return sm_path_plan->want != SM_SEARCH_DONE;
}

/* A thread that waits for the end of another has not reached the event yet. */
static void note_joins(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && t < sm_thread_count(); t++) {
        const struct sm_thread *thread = sm_thread_by_id(t);
        if (thread && thread->state == SM_THREAD_BLOCKED && thread->pending &&
            thread->pending->kind == SM_EV_JOIN)
            sm_path_stop(t, SM_LOCAL_JOIN, thread->pending->old);
    }
}

/* The run did not reach the point at which it was to learn the next event. */
static void give_up_unknown(void)
{
    uint32_t thread = sm_path_plan->run.thread;
    if (sm_path_here(thread))
        sm_path_stop(thread, SM_LOCAL_CUT, SM_CUT_BIT(UNREACHED));
}

/* An outcome that the driver is to see is run once more, for a witness. */
static bool take_outcome(void)
{
    if (sm_control->end != SM_END_EXIT)
        return false;
    sm_prints_add_outcomes();
    if (!sm_explore_say_remark() || !sm_explore_is_new())
        return false;
    sm_path_plan->want = SM_SEARCH_WITNESS;
    sm_explore_record(true);
    return true;
}

/* True: this execution needs another run. */
static bool take_results(void)
{
    switch (sm_path_plan->want) {
    case SM_SEARCH_WITNESS:
        end_witness();
        return false;
    case SM_SEARCH_OUTCOME:
        return take_outcome();
    case SM_SEARCH_RACES:
        sm_races_met();
        sm_control->explored.stop |= sm_control->explored.first_race;
        return false;
    case SM_SEARCH_LEARN:
        give_up_unknown();
        return false;
    default:
        return false;
    }
}

/* Something was learnt that the search did not know so far. */
static bool has_grown(void)
{
    return sm_share_grew() || sm_await_grew() || sm_machine_grew() ||
           sm_search_grew(sm_path_plan->search) || sm_path_steps_failed();
}

bool sm_paths_next(void)
{
    if (sm_control->end == SM_END_ERROR || sm_control->end == SM_END_REFUSED) {
        sm_control->explored.cut |= SM_CUT_BIT(REFUSED);
        sm_search_publish(sm_path_plan->search);
        return sm_explore_finish();
    }
    if (sm_path_plan->want != SM_SEARCH_WITNESS && has_grown()) {
        begin_again();
        return true;
    }
    if (sm_path_plan->harms > MOST_HARMS) {
        sm_search_publish(sm_path_plan->search);
        return sm_explore_finish();
    }
    note_end();
    note_joins();
    if (take_results() || (!sm_control->explored.stop && find_next_run()))
        return true;
    if (!sm_control->explored.stop && sm_search_grew(sm_path_plan->search)) {
        begin_again();
        return true;
    }
    if (sm_control->explored.stop)
        sm_control->explored.cut |= SM_CUT_BIT(TIME);
    sm_search_publish(sm_path_plan->search);
    return sm_explore_finish();
}
