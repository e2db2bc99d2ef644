#include "hunt/search.h"

#include "base/now.h"

enum {
    LEAST_EXECUTIONS = 2000, /* if nothing was found: a second of a program with 2,000 events */
    LEAST_QUIET = 100,       /* in a row without anything new */
    SEARCH_BLOCK = 64,       /* wide executions, and as many narrow ones, between two decisions */
    FIRST = 256,             /* of the plan: the survey makes those before, at most */
    LEAKS_EVERY = 4,         /* blocks: to look for leaks takes as long as all else of a short
                                execution */
    SEARCH_EVENTS = 6000000, /* in all, unless --time says how much: 2 to 4 s */
};
/* Seconds by the clock, without --time, for programs that are slow by something else than events:
   far from what others take on a machine that is busy. */
#define SEARCH_LONGEST 20.0
/* Of the time that is left; the rest is for variables that are only found here. */
#define SHARE 0.75

static bool is_saturated(const struct sm_survey *survey)
{
    size_t last_new = survey->covered.last_new;
    return survey->made >= 2 * last_new && survey->made - last_new >= LEAST_QUIET;
}

static bool is_enough(const struct sm_survey *survey, bool found)
{
    uint64_t trials = survey->hunt->settings->trials; /* fewer than usual: in a hurry */
    found |= survey->n_failures > 0;
    return (is_saturated(survey) && (found || survey->made >= LEAST_EXECUTIONS)) ||
           (trials < SM_USUAL_TRIALS && survey->made >= trials);
}

/* Another block, as far as the events go. */
static bool is_affordable(const struct sm_survey *survey)
{
    uint64_t each = survey->made ? survey->cost / survey->made : 0;
    return survey->hunt->settings->time > 0 ||
           survey->cost + 2 * SEARCH_BLOCK * each <= SEARCH_EVENTS;
}

/* The same for the clock, which results of shards must not depend on. */
static bool is_fast(const struct sm_survey *survey, double began)
{
    const struct sm_hunt *hunt = survey->hunt;
    double all = survey->seconds / (double)hunt->campaign.n_workers;
    double each = survey->made ? all / (double)survey->made : 0;
    return hunt->divided || hunt->settings->time > 0 ||
           sm_now() - began + 2 * SEARCH_BLOCK * each <= SEARCH_LONGEST;
}

/* Half with every access watched: they find races. In the others, where threads are interleaved at
   synchronisation alone, failures of its order come more often. */
static bool make_block(struct sm_survey *survey, uint64_t first, struct sm_error *error)
{
    struct sm_plan wide = sm_survey_plan(survey, true), narrow = sm_survey_plan(survey, false);
    wide.turns = narrow.turns = true;
    if (first / SEARCH_BLOCK % LEAKS_EVERY)
        wide.options.leaks = narrow.options.leaks = survey->hunt->settings->options.leaks;
    if (survey->narrow_points)
        narrow.options.pct_length = survey->narrow_points;
    return sm_survey_go_on(survey, &wide, first, SEARCH_BLOCK, error) &&
           sm_survey_go_on(survey, &narrow, first, SEARCH_BLOCK, error);
}

static bool make_blocks(struct sm_survey *survey, bool found, struct sm_error *error)
{
    const struct sm_campaign *campaign = &survey->hunt->campaign;
    double began = sm_now();
    bool ok = true, fast = true;
    for (uint64_t at = FIRST; ok && !is_enough(survey, found) && is_affordable(survey) &&
                              (fast = is_fast(survey, began)) && !sm_campaign_over(campaign);
         at += SEARCH_BLOCK)
        ok = make_block(survey, at, error);
    survey->out_of_time = !is_enough(survey, found) && (!fast || sm_campaign_over(campaign));
    return ok;
}

bool sm_search_run(struct sm_survey *survey, bool found, struct sm_error *error)
{
    struct sm_campaign *campaign = &survey->hunt->campaign;
    double deadline = campaign->deadline, now = sm_now();
    if (!survey->hunt->baseline.outputs.n)
        return true; /* it always fails */
    if (deadline > now)
        campaign->deadline = now + SHARE * (deadline - now);
    bool ok = make_blocks(survey, found, error);
    campaign->deadline = deadline;
    return ok;
}

struct sm_searched sm_search_result(const struct sm_survey *survey, bool explored)
{
    enum sm_trials_end ended = explored               ? SM_TRIALS_END_EXPLORED
                               : survey->out_of_time  ? SM_TRIALS_END_TIME
                               : is_saturated(survey) ? SM_TRIALS_END_SATURATION
                                                      : SM_TRIALS_END_TRIALS;
    return (struct sm_searched){.executions = survey->made,
                                .last_new = survey->covered.last_new,
                                .coverage = sm_covered_count(&survey->covered, ended)};
}
