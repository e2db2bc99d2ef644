#include "campaign/plan.h"

/* The most effective schedules come first and most often. Round robin has only one execution for
   each heuristic, so it is rare. */
static const enum sm_schedule_id schedules[] = {
    SM_SCHEDULE_PATIENT, SM_SCHEDULE_PCT, SM_SCHEDULE_PATIENT, SM_SCHEDULE_RANDOM,
    SM_SCHEDULE_PATIENT, SM_SCHEDULE_POS, SM_SCHEDULE_RR,
};
enum { N_SCHEDULES = sizeof schedules / sizeof schedules[0] };

/* A walk, few changes of priority, an even sample of partial orders; and threads that are kept back
   where it matters: before they wait and signal, or, if values may be stale, before they read. None
   finds all that another does. */
enum sm_schedule_id sm_plan_turn(uint64_t model, uint64_t i)
{
    static const enum sm_schedule_id turns[] = {SM_SCHEDULE_RANDOM, SM_SCHEDULE_PCT,
                                                SM_SCHEDULE_POS};
    enum { N_TURNS = sizeof turns / sizeof turns[0] };
    uint64_t turn = i % (N_TURNS + 1);
    return turn < N_TURNS         ? turns[turn]
           : model == SM_MODEL_SC ? SM_SCHEDULE_HESITANT
                                  : SM_SCHEDULE_PATIENT;
}

static uint64_t n_heuristics(const struct sm_plan *plan)
{
    if (plan->options.heuristic != SM_HEURISTICS || plan->options.model == SM_MODEL_SC)
        return 1;
    return plan->lies_only ? SM_HEURISTICS - 1 : SM_HEURISTICS;
}

static uint64_t heuristic(const struct sm_plan *plan, uint64_t i, uint64_t n)
{
    if (plan->options.heuristic != SM_HEURISTICS)
        return plan->options.heuristic;
    return n == 1 ? SM_HEURISTIC_RANDOM : i % n + (plan->lies_only ? 1 : 0);
}

static bool watches_all(const struct sm_plan *plan)
{
    uint64_t model = plan->options.model;
    return plan->watch == SM_WATCH_ALL || model == SM_MODEL_TSO ||
           (plan->fenced && model >= SM_MODEL_C11);
}

static bool is_wide(const struct sm_plan *plan, uint64_t slot)
{
    return plan->wide_every && slot % plan->wide_every == plan->wide_every - 1;
}

struct sm_trial sm_plan_trial(const struct sm_plan *plan, uint64_t i)
{
    struct sm_trial trial = {.options = plan->options,
                             .watch = watches_all(plan) ? SM_WATCH_ALL : plan->watch,
                             .watched = plan->watched,
                             .lied = plan->lied};
    uint64_t n = n_heuristics(plan), slot = i / n;
    trial.options.heuristic = heuristic(plan, i, n);
    if (plan->options.schedule == SM_SCHEDULES)
        trial.options.schedule =
            plan->turns ? sm_plan_turn(plan->options.model, slot) : schedules[slot % N_SCHEDULES];
    trial.options.seed = plan->options.seed + i;
    trial.options.narrow = !is_wide(plan, slot);
    return trial;
}

struct sm_trial *sm_plan_trials(const struct sm_plan *plan, uint64_t first, size_t n)
{
    struct sm_trial *trials = sm_new(n * sizeof *trials);
    for (size_t i = 0; i < n; i++)
        trials[i] = sm_plan_trial(plan, first + i);
    return trials;
}

struct sm_options sm_plan_default(const struct sm_options *options)
{
    struct sm_options plain = *options;
    plain.model = SM_MODEL_SC;
    plain.schedule = SM_SCHEDULE_PCT; /* unlike no schedule at all, it makes a waiting thread
                                         yield */
    plain.pct_depth = 1;
    plain.heuristic = SM_HEURISTIC_SC;
    return plain;
}
