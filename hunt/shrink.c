#include "hunt/shrink.h"

#include <stdlib.h>
#include <string.h>

/* Executions to spend on one case. Lists of some hundred choices converge after 100 to 300; what is
   left of a longer one is then small enough to read. */
enum { MOST_EXECUTIONS = 600 };

void sm_case_free(struct sm_case *failing)
{
    free(failing->choices);
    *failing = (struct sm_case){0};
}

struct sm_trial sm_case_trial(const struct sm_case *failing, bool lenient)
{
    struct sm_trial trial = {.options = failing->options,
                             .watch = failing->watch,
                             .watched = failing->watched,
                             .lied = failing->lied,
                             .lie_all = failing->lie_all,
                             .choices = failing->choices,
                             .n_choices = failing->n_choices,
                             .want_choices = true};
    trial.options.schedule = SM_SCHEDULE_REPLAY;
    trial.options.lenient = lenient;
    /* An execution that does not fail may not end either: a thread may wait for another which gets
       no turn. */
    if (lenient)
        trial.options.steps = 2 * failing->facts.points + 100;
    return trial;
}

bool sm_case_same(const struct sm_case *failing, const struct sm_baseline *baseline,
                  const struct sm_result_facts *facts)
{
    return sm_baseline_judge(baseline, facts) == failing->kind &&
           (failing->kind == SM_FAILURE_OUTPUT || facts->signature == failing->facts.signature);
}

bool sm_case_is_honest(const struct sm_case *failing)
{
    for (size_t i = 0; i < failing->n_choices; i++)
        if (failing->choices[i].purpose == SM_PURPOSE_ORDER)
            return false;
    return !failing->facts.stale && !failing->facts.delayed && !failing->facts.future;
}

/* Takes ownership of the choices of a result. */
static void adopt(struct sm_case *failing, struct sm_result *result)
{
    free(failing->choices);
    failing->choices = result->choices;
    failing->n_choices = result->n_choices;
    failing->facts = result->facts;
    result->choices = NULL;
}

static bool run_again(const struct sm_trial *trial, uint64_t steps, struct sm_campaign *campaign,
                      struct sm_result *result, struct sm_error *error)
{
    struct sm_trial again = *trial;
    struct sm_outcome outcome;
    again.options.steps = steps;
    again.want_choices = true;
    again.result = (struct sm_result){0};
    if (!sm_campaign_one(campaign, &again, &outcome, error))
        return false;
    sm_outcome_free(&outcome);
    *result = again.result;
    return true;
}

static bool ends_after_all(struct sm_case *failing, const struct sm_trial *trial,
                           struct sm_campaign *campaign, const struct sm_baseline *baseline,
                           struct sm_error *error)
{
    struct sm_result result;
    if (!run_again(trial, 10 * trial->options.steps, campaign, &result, error))
        return false;
    failing->slow =
        result.facts.exited && sm_baseline_judge(baseline, &result.facts) == SM_FAILURE_NONE;
    sm_result_free(&result);
    return true;
}

bool sm_case_take(struct sm_case *failing, const struct sm_trial *trial,
                  struct sm_campaign *campaign, const struct sm_baseline *baseline,
                  struct sm_error *error)
{
    struct sm_result result;
    *failing = (struct sm_case){.options = trial->options,
                                .watch = trial->watch,
                                .watched = trial->watched,
                                .lied = trial->lied,
                                .lie_all = trial->lie_all,
                                .kind = sm_baseline_judge(baseline, &trial->result.facts),
                                .facts = trial->result.facts};
    failing->options.coverage = 0;
    if (failing->kind == SM_FAILURE_HANG && trial->options.steps &&
        !ends_after_all(failing, trial, campaign, baseline, error))
        return false;
    if (!run_again(trial, trial->options.steps, campaign, &result, error))
        return false;
    if (!failing->slow && sm_case_same(failing, baseline, &result.facts))
        adopt(failing, &result);
    else
        failing->kind = SM_FAILURE_NONE;
    sm_result_free(&result);
    return true;
}

/* ---- leaving out ---- */

struct shrinking {
    struct sm_case *failing;
    struct sm_campaign *campaign;
    const struct sm_baseline *baseline;
    uint64_t executions;
    struct sm_error *error;
};

typedef bool class_of(const struct sm_choice *choice);

static bool is_lie(const struct sm_choice *choice)
{
    return choice->purpose == SM_PURPOSE_VALUE || choice->purpose == SM_PURPOSE_ORDER ||
           choice->purpose == SM_PURPOSE_FLUSH || choice->purpose == SM_PURPOSE_FUTURE;
}

/* The bytes of a future value belong to the choice that is the lie. */
static bool is_no_lie(const struct sm_choice *choice)
{
    return !is_lie(choice) && choice->purpose != SM_PURPOSE_FUTURE_VALUE;
}

static size_t count(const struct sm_case *failing, class_of *in_class)
{
    size_t n = 0;
    for (size_t i = 0; i < failing->n_choices; i++)
        n += in_class(&failing->choices[i]);
    return n;
}

struct sm_choice *sm_case_without_lies(const struct sm_case *failing, size_t *n)
{
    struct sm_choice *kept = sm_new((failing->n_choices + 1) * sizeof *kept);
    *n = 0;
    for (size_t i = 0; i < failing->n_choices; i++)
        if (is_no_lie(&failing->choices[i]))
            kept[(*n)++] = failing->choices[i];
    return kept;
}

/* The choices without number from..from+size-1 of the class, counted from the end: late ones depend
   on early ones, so the late ones are left out first. */
static struct sm_choice *without(const struct sm_case *failing, class_of *in_class, size_t from,
                                 size_t size, size_t *n)
{
    struct sm_choice *kept = sm_new((failing->n_choices + 1) * sizeof *kept);
    size_t number = count(failing, in_class);
    *n = 0;
    for (size_t i = 0; i < failing->n_choices; i++) {
        const struct sm_choice *choice = &failing->choices[i];
        if (in_class(choice)) {
            number--;
            if (number >= from && number < from + size)
                continue;
        }
        kept[(*n)++] = *choice;
    }
    return kept;
}

/* Tries to leave out one of several chunks, each in an execution of its own, all at the same
   time. *removed is the first whose removal leaves the failure as it was; `tries` if none. */
static bool try_chunks(struct shrinking *shrinking, class_of *in_class, size_t from, size_t size,
                       size_t tries, size_t *removed)
{
    struct sm_case *failing = shrinking->failing;
    struct sm_trial *trials = sm_new(tries * sizeof *trials);
    for (size_t i = 0; i < tries; i++) {
        trials[i] = sm_case_trial(failing, true);
        trials[i].choices = without(failing, in_class, from + i * size, size, &trials[i].n_choices);
    }
    bool ok = sm_campaign_run(shrinking->campaign, trials, tries, shrinking->error);
    shrinking->executions += tries;
    *removed = tries;
    for (size_t i = 0; i < tries; i++) {
        if (ok && *removed == tries && trials[i].done &&
            trials[i].result.n_choices < failing->n_choices &&
            sm_case_same(failing, shrinking->baseline, &trials[i].result.facts)) {
            adopt(failing, &trials[i].result);
            *removed = i;
        }
        free((void *)trials[i].choices);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    return ok;
}

/* One pass over the class in chunks of one size. */
static bool pass(struct shrinking *shrinking, class_of *in_class, size_t size)
{
    struct sm_case *failing = shrinking->failing;
    size_t from = 0, n;
    while ((n = count(failing, in_class)) > from && shrinking->executions < MOST_EXECUTIONS &&
           !sm_campaign_over(shrinking->campaign)) {
        size_t chunks = (n - from + size - 1) / size, tries = shrinking->campaign->n_workers;
        size_t removed;
        if (tries > chunks)
            tries = chunks;
        if (!try_chunks(shrinking, in_class, from, size, tries, &removed))
            return false;
        from += removed * size;
    }
    return true;
}

static bool minimise(struct shrinking *shrinking, class_of *in_class)
{
    for (size_t size = count(shrinking->failing, in_class); size; size /= 2)
        if (!pass(shrinking, in_class, size))
            return false;
    return true;
}

bool sm_shrink(struct sm_case *failing, struct sm_campaign *campaign,
               const struct sm_baseline *baseline, struct sm_error *error)
{
    struct shrinking shrinking = {
        .failing = failing, .campaign = campaign, .baseline = baseline, .error = error};
    if (failing->kind == SM_FAILURE_HANG)
        return true;
    size_t before;
    do {
        before = failing->n_choices;
        if (!minimise(&shrinking, is_lie) || !minimise(&shrinking, is_no_lie))
            return false;
    } while (failing->n_choices < before && shrinking.executions < MOST_EXECUTIONS &&
             !sm_campaign_over(campaign));
    return true;
}
