#include "hunt/prescient.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* Profiles for a round. A schedule that makes loads wait for stores (patient) leaves no future
   values. */
enum { PROFILES = 10 };
static const enum sm_schedule_id schedules[] = {
    SM_SCHEDULE_RANDOM, SM_SCHEDULE_PCT, SM_SCHEDULE_POS, SM_SCHEDULE_RANDOM, SM_SCHEDULE_RR};
enum { N_PROFILE_SCHEDULES = sizeof schedules / sizeof schedules[0] };

static void free_profile(struct sm_profile *profile)
{
    free((void *)profile->trial.choices);
    free(profile->foreseen);
    free(profile->loads);
}

static void free_trials(struct sm_prescience *prescience)
{
    for (size_t i = 0; i < prescience->n_trials; i++) {
        free((void *)prescience->trials[i].predictions);
        sm_result_free(&prescience->trials[i].result);
    }
    free(prescience->trials);
    prescience->trials = NULL;
    prescience->n_trials = 0;
}

static void free_block(struct sm_prescience *prescience)
{
    for (size_t i = 0; i < prescience->n_profiles; i++)
        free_profile(&prescience->profiles[i]);
    free(prescience->profiles);
    free(prescience->beliefs);
    prescience->profiles = NULL;
    prescience->beliefs = NULL;
    prescience->n_profiles = prescience->n_beliefs = 0;
}

void sm_prescience_free(struct sm_prescience *prescience)
{
    free_block(prescience);
    free_trials(prescience);
    *prescience = (struct sm_prescience){0};
}

/* ---- profiles ---- */

static int by_load(const void *a, const void *b)
{
    const struct sm_foreseen *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static bool same_load(const struct sm_foreseen *a, const struct sm_foreseen *b)
{
    return a->thread == b->thread && a->site == b->site && a->nth == b->nth;
}

/* Takes over the choices of the trial. */
static void add_profile(struct sm_prescience *prescience, struct sm_trial *trial)
{
    struct sm_result *result = &trial->result;
    struct sm_profile profile = {.trial = *trial, .n_foreseen = result->n_foreseen};
    profile.foreseen =
        sm_copy_bytes(result->foreseen, result->n_foreseen * sizeof *profile.foreseen);
    qsort(profile.foreseen, profile.n_foreseen, sizeof *profile.foreseen, by_load);
    profile.loads = sm_new(profile.n_foreseen * sizeof *profile.loads);
    for (size_t i = 0; i < profile.n_foreseen; i++)
        if (!i || !same_load(&profile.foreseen[i - 1], &profile.foreseen[i]))
            profile.loads[profile.n_loads++] = i;
    profile.trial.choices = result->choices;
    profile.trial.n_choices = result->n_choices;
    profile.trial.result = (struct sm_result){0};
    result->choices = NULL;
    prescience->profiles = sm_resize(prescience->profiles,
                                     (prescience->n_profiles + 1) * sizeof *prescience->profiles);
    prescience->profiles[prescience->n_profiles++] = profile;
}

static struct sm_trial profile_trial(const struct sm_prescience *prescience, uint64_t i)
{
    struct sm_trial trial = sm_plan_trial(prescience->plan, i);
    trial.options.schedule = schedules[i % N_PROFILE_SCHEDULES];
    trial.options.heuristic = SM_HEURISTIC_SC;
    trial.options.narrow = i / N_PROFILE_SCHEDULES % 2 == 0;
    trial.options.profile = 1;
    trial.want_choices = true;
    return trial;
}

static bool profile(struct sm_prescience *prescience, struct sm_error *error)
{
    struct sm_trial trials[PROFILES];
    for (size_t i = 0; i < PROFILES; i++)
        trials[i] = profile_trial(prescience, prescience->profiled++);
    bool ok = sm_campaign_run(prescience->campaign, trials, PROFILES, error);
    for (size_t i = 0; i < PROFILES; i++) {
        if (ok && trials[i].done && trials[i].result.n_foreseen)
            add_profile(prescience, &trials[i]);
        sm_result_free(&trials[i].result);
    }
    return ok;
}

/* ---- what has come true ---- */

static struct sm_belief *belief_in(struct sm_prescience *prescience, const struct sm_foreseen *of)
{
    for (size_t i = 0; i < prescience->n_beliefs; i++)
        if (prescience->beliefs[i].site == of->site && prescience->beliefs[i].value == of->value)
            return &prescience->beliefs[i];
    prescience->beliefs =
        sm_resize(prescience->beliefs, (prescience->n_beliefs + 1) * sizeof *prescience->beliefs);
    struct sm_belief *belief = &prescience->beliefs[prescience->n_beliefs++];
    *belief = (struct sm_belief){.site = of->site, .value = of->value};
    return belief;
}

static void learn(struct sm_prescience *prescience, const struct sm_trial *trial)
{
    if (!trial->done)
        return;
    for (size_t i = 0; i < trial->n_predictions; i++) {
        struct sm_belief *belief = belief_in(prescience, &trial->predictions[i]);
        belief->tried++;
        belief->validated += !trial->result.facts.unvalidated;
    }
}

/* Out of 256; a value that was never tried has the same chance as one that was validated every
   other time. */
static uint64_t chance(struct sm_prescience *prescience, const struct sm_foreseen *of)
{
    const struct sm_belief *belief = belief_in(prescience, of);
    return 256 * (belief->validated + 1) / (belief->tried + 2);
}

/* ---- policies ---- */

enum policy { ALL_OF_SITE, SKIP_AND_USE, LEARNT, POLICIES };

struct selection {
    struct sm_prescience *prescience;
    const struct sm_profile *profile;
    struct sm_random random;
    struct sm_foreseen *chosen;
    size_t n;
};

static uint64_t below(struct selection *selection, uint64_t n)
{
    return n ? sm_random_next(&selection->random) % n : 0;
}

/* One of the values of the load. */
static void use(struct selection *selection, size_t load)
{
    const struct sm_profile *profile = selection->profile;
    size_t first = profile->loads[load];
    size_t end = load + 1 < profile->n_loads ? profile->loads[load + 1] : profile->n_foreseen;
    selection->chosen[selection->n++] = profile->foreseen[first + below(selection, end - first)];
}

static void use_all_of_site(struct selection *selection)
{
    const struct sm_profile *profile = selection->profile;
    uint32_t site = profile->foreseen[below(selection, profile->n_foreseen)].site;
    for (size_t i = 0; i < profile->n_loads; i++)
        if (profile->foreseen[profile->loads[i]].site == site)
            use(selection, i);
}

/* One load, and in every third turn up to four in a row. */
static void skip_and_use(struct selection *selection, uint64_t turn)
{
    size_t n = selection->profile->n_loads, skip = turn % n;
    size_t end = skip + 1 + (turn % 3 == 2 ? 1 + below(selection, 3) : 0);
    for (size_t i = skip; i < end && i < n; i++)
        use(selection, i);
}

static void use_learnt(struct selection *selection)
{
    const struct sm_profile *profile = selection->profile;
    for (size_t i = 0; i < profile->n_loads; i++) {
        const struct sm_foreseen *first = &profile->foreseen[profile->loads[i]];
        if (below(selection, 256) < chance(selection->prescience, first))
            use(selection, i);
    }
    if (!selection->n)
        use(selection, below(selection, profile->n_loads));
}

/* In the first trial of a profile all its loads return future values. */
static void select_loads(struct selection *selection, uint64_t turn)
{
    if (turn == 0) {
        for (size_t i = 0; i < selection->profile->n_loads; i++)
            use(selection, i);
        return;
    }
    switch ((enum policy)(turn % POLICIES)) {
    case ALL_OF_SITE:
        use_all_of_site(selection);
        break;
    case SKIP_AND_USE:
        skip_and_use(selection, turn / POLICIES);
        break;
    default:
        use_learnt(selection);
    }
}

/* ---- trials ---- */

/* Every other trial also has stale values, unless --heuristic is given. */
static uint64_t heuristic(const struct sm_plan *plan, uint64_t turn)
{
    if (plan->options.heuristic != SM_HEURISTICS)
        return plan->options.heuristic;
    return turn % 2 == 0 ? SM_HEURISTIC_SC : 1 + turn / 2 % (SM_HEURISTICS - 1);
}

/* Its position in the whole plan; then the block it is in, and the block's first trial. */
static size_t position(const struct sm_prescience *prescience, size_t i)
{
    return prescience->skipped + i;
}

static size_t block_of(const struct sm_prescience *prescience, size_t i)
{
    return position(prescience, i) / SM_PRESCIENT_BLOCK;
}

static size_t block_begin(const struct sm_prescience *prescience, size_t i)
{
    return i - position(prescience, i) % SM_PRESCIENT_BLOCK;
}

/* Results of a shard are found by their place in the plan; otherwise the predictions would have to
   be made again. */
static void place(const struct sm_prescience *prescience, size_t i, struct sm_trial *trial)
{
    struct sm_trial stand_in = sm_plan_trial(prescience->plan, position(prescience, i));
    stand_in.options.prescient = 1;
    stand_in.options.schedule = SM_SCHEDULE_FUZZY;
    trial->planned = prescience->planned;
    trial->number = prescience->number + block_of(prescience, i);
    if (prescience->planned && (prescience->campaign->slice.of || prescience->campaign->gathered))
        sm_campaign_key(prescience->campaign, &stand_in, trial->key);
}

static struct sm_trial prescient_trial(struct sm_prescience *prescience, size_t i)
{
    size_t in_block = i - block_begin(prescience, i);
    const struct sm_profile *profile = &prescience->profiles[in_block % prescience->n_profiles];
    uint64_t turn = in_block / prescience->n_profiles;
    struct selection selection = {
        .prescience = prescience,
        .profile = profile,
        .random = sm_random_seed(profile->trial.options.seed, position(prescience, i)),
        .chosen = sm_new(profile->n_loads * sizeof *selection.chosen)};
    select_loads(&selection, turn);
    struct sm_trial trial = profile->trial;
    trial.options.schedule = SM_SCHEDULE_FUZZY;
    trial.options.heuristic = heuristic(prescience->plan, turn);
    trial.options.profile = 0;
    trial.options.prescient = 1;
    trial.want_choices = false;
    trial.done = false;
    trial.predictions = selection.chosen;
    trial.n_predictions = selection.n;
    place(prescience, i, &trial);
    return trial;
}

/* ---- rounds ---- */

static void begin_block(struct sm_prescience *prescience)
{
    free_block(prescience);
    prescience->caught_up = prescience->n_trials;
    prescience->profiled = block_of(prescience, prescience->n_trials) * PROFILES *
                           (SM_PRESCIENT_BLOCK / SM_PRESCIENT_ROUND);
}

/* Makes the profiles of a round, and the predictions of its trials from `first` to before `end`. */
static bool predict(struct sm_prescience *prescience, size_t first, size_t end,
                    struct sm_error *error)
{
    if (!profile(prescience, error))
        return false;
    for (size_t i = first; prescience->n_profiles && i < end; i++) {
        struct sm_trial old = prescience->trials[i];
        prescience->trials[i] = prescient_trial(prescience, i);
        prescience->trials[i].done = old.done;
        prescience->trials[i].result = old.result;
    }
    return true;
}

static void learn_all(struct sm_prescience *prescience, size_t end)
{
    for (; prescience->caught_up < end; prescience->caught_up++)
        learn(prescience, &prescience->trials[prescience->caught_up]);
}

bool sm_prescience_recall(struct sm_prescience *prescience, struct sm_error *error)
{
    while (prescience->caught_up < prescience->n_trials) {
        size_t first = prescience->caught_up, end = first + SM_PRESCIENT_ROUND;
        if (end > prescience->n_trials)
            end = prescience->n_trials;
        if (!predict(prescience, first, end, error))
            return false;
        learn_all(prescience, end);
    }
    return true;
}

/* Merge: all trials of the round are in the store. */
static bool find_round(struct sm_prescience *prescience, size_t end)
{
    size_t i = prescience->n_trials;
    while (i < end && sm_campaign_find(prescience->campaign, &prescience->trials[i]))
        i++;
    if (i == end)
        return true;
    for (size_t k = prescience->n_trials; k < i; k++) {
        sm_result_free(&prescience->trials[k].result);
        prescience->trials[k].done = false;
    }
    return false;
}

static size_t end_of_round(const struct sm_prescience *prescience, size_t all)
{
    size_t left = all - position(prescience, prescience->n_trials);
    return prescience->n_trials + (left < SM_PRESCIENT_ROUND ? left : SM_PRESCIENT_ROUND);
}

bool sm_prescience_round(struct sm_prescience *prescience, size_t all, struct sm_error *error)
{
    size_t first = prescience->n_trials, end = end_of_round(prescience, all);
    if (block_begin(prescience, first) == first)
        begin_block(prescience);
    prescience->trials = sm_resize(prescience->trials, end * sizeof *prescience->trials);
    for (size_t i = first; i < end; i++) {
        prescience->trials[i] = (struct sm_trial){0};
        place(prescience, i, &prescience->trials[i]);
    }
    if (prescience->planned && prescience->campaign->gathered && find_round(prescience, end)) {
        prescience->n_trials = end;
        return true;
    }
    if (!sm_prescience_recall(prescience, error) || !predict(prescience, first, end, error))
        return false;
    if (!prescience->n_profiles)
        return true;
    prescience->n_trials = end;
    bool ok = sm_campaign_run(prescience->campaign, prescience->trials + first, end - first, error);
    learn_all(prescience, end);
    return ok;
}

bool sm_prescience_block(struct sm_prescience *prescience, size_t block, size_t all,
                         struct sm_error *error)
{
    size_t end = (block + 1) * SM_PRESCIENT_BLOCK, before;
    bool ok;
    free_trials(prescience);
    prescience->skipped = block * SM_PRESCIENT_BLOCK;
    do {
        before = prescience->n_trials;
        ok = sm_prescience_round(prescience, end < all ? end : all, error);
    } while (ok && prescience->n_trials > before &&
             position(prescience, prescience->n_trials) < (end < all ? end : all) &&
             !sm_campaign_over(prescience->campaign));
    return ok;
}
