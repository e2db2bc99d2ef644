#include "hunt/investigations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "hunt/late.h"
#include "hunt/search.h"

/* Of the time that is left, for trials with stale values. */
#define STALE_SHARE 0.75

static bool is_wanted(const struct sm_investigations *all, const char *name)
{
    const struct sm_list *wanted = &all->hunt->settings->variables;
    return wanted->n == 0 || sm_list_has(wanted, name);
}

static bool check_wanted(const struct sm_investigations *all, const struct sm_variables *variables,
                         struct sm_error *error)
{
    const struct sm_list *wanted = &all->hunt->settings->variables;
    for (size_t i = 0; i < wanted->n; i++) {
        bool found = false;
        for (size_t k = 0; k < variables->n; k++)
            found |= strcmp(variables->items[k].name, wanted->items[i]) == 0;
        if (!found)
            return sm_fail(error, SM_STATUS_USAGE,
                           "--variable %s: no race on a variable of that name was seen; leave it "
                           "out to see which there are",
                           wanted->items[i]);
    }
    return true;
}

static bool is_witnessed(const struct sm_investigation *investigation)
{
    return sm_investigation_proof(investigation);
}

static size_t count_witnessed(const struct sm_investigations *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += is_witnessed(&all->items[i]);
    return n;
}

static void say_where(struct sm_investigations *all, size_t i)
{
    struct sm_progress *progress = all->progress;
    snprintf(progress->what, sizeof progress->what, "%.50s (%zu of %zu)", all->items[i].name, i + 1,
             all->n);
    progress->findings = count_witnessed(all);
}

/* Rounds in turn, until every investigation is finished. */
static bool investigate(struct sm_investigations *all, size_t first, struct sm_error *error)
{
    bool busy = true;
    all->progress->planned = all->hunt->campaign.executions + all->hunt->campaign.found +
                             (all->n - first) * all->hunt->settings->trials;
    while (busy) {
        busy = false;
        for (size_t i = first; i < all->n; i++) {
            struct sm_investigation *investigation = &all->items[i];
            if (investigation->finished)
                continue;
            say_where(all, i);
            if (!sm_investigation_round(investigation, error))
                return false;
            busy |= !investigation->finished;
        }
    }
    return true;
}

/* Trials with stale values of the first variable, of the second, ..., of all together; then blocks
   with future values, in the same order. */
void sm_investigation_number(struct sm_investigation *investigation, size_t i, size_t n)
{
    const struct sm_settings *settings = investigation->hunt->settings;
    size_t blocks = (sm_prescient_trials(settings) + SM_PRESCIENT_BLOCK - 1) / SM_PRESCIENT_BLOCK;
    investigation->planned = investigation->prescience.planned = true;
    investigation->number = i * settings->trials;
    investigation->prescience.number = (n + 1) * settings->trials + i * blocks;
}

static void add_finished(struct sm_investigations *all, const char *name,
                         const struct sm_watchlist *sites)
{
    all->items[all->n++] = (struct sm_investigation){
        .hunt = all->hunt, .name = sm_copy_text(name), .sites = sites, .finished = true};
}

/* If every execution fails, trials show nothing: the race stays undecided. */
static bool add_investigation(struct sm_investigations *all, const char *name,
                              const struct sm_watchlist *sites, struct sm_error *error)
{
    if (all->hunt->baseline.outputs.n)
        return sm_investigation_open(&all->items[all->n++], all->hunt, name, sites, error);
    add_finished(all, name, sites);
    return true;
}

/* Trials add nothing to an exact verdict, unless --trials is given. */
static bool add_alone(struct sm_investigations *all, const struct sm_variable *variable,
                      struct sm_exact_verdict *exact, struct sm_error *error)
{
    bool ok = true;
    if (exact->decided && all->hunt->may_stretch)
        add_finished(all, variable->name, &variable->sites);
    else
        ok = add_investigation(all, variable->name, &variable->sites, error);
    all->items[all->n - 1].exact = *exact;
    *exact = (struct sm_exact_verdict){0};
    return ok;
}

/* ---- each alone ---- */

/* The variables that are wanted, and what verify says about each. */
struct chosen {
    const struct sm_variable **variables;
    struct sm_exact_verdict *verdicts;
    size_t n;
};

static void choose(const struct sm_investigations *all, const struct sm_variables *variables,
                   struct chosen *chosen)
{
    chosen->variables = sm_new((variables->n + 1) * sizeof(struct sm_variable *));
    chosen->verdicts = sm_new((variables->n + 1) * sizeof *chosen->verdicts);
    for (size_t i = 0; i < variables->n; i++)
        if (is_wanted(all, variables->items[i].name))
            chosen->variables[chosen->n++] = &variables->items[i];
}

static void free_chosen(struct chosen *chosen)
{
    for (size_t i = 0; i < chosen->n; i++)
        sm_exact_verdict_free(&chosen->verdicts[i]);
    free(chosen->verdicts);
    free(chosen->variables);
}

/* Before the survey is finished: this is where most first witnesses come from. */
static bool decide(struct sm_investigations *all, struct chosen *chosen, struct sm_survey *survey,
                   struct sm_error *error)
{
    bool holds = true;
    for (size_t i = 0; i < chosen->n; i++)
        if (!sm_exact_decide(&all->exact, chosen->variables[i]->name, &chosen->variables[i]->sites,
                             &chosen->verdicts[i], error))
            return false;
    if (!sm_survey_finish(survey, error) ||
        !sm_exact_settle(&all->exact, survey->n_failures, &holds, error))
        return false;
    for (size_t i = 0; i < chosen->n; i++)
        chosen->verdicts[i].decided &= holds;
    return true;
}

/* Where verify has not seen every execution under sc, a part of the time is for search.h. */
static bool investigate_in_time(struct sm_investigations *all, struct sm_error *error)
{
    struct sm_campaign *campaign = &all->hunt->campaign;
    double deadline = campaign->deadline, now = sm_now();
    if (deadline > now && !all->exact.sound)
        campaign->deadline = now + STALE_SHARE * (deadline - now);
    bool ok = investigate(all, 0, error);
    campaign->deadline = deadline;
    return ok;
}

static bool investigate_chosen(struct sm_investigations *all, const struct chosen *chosen,
                               struct sm_error *error)
{
    all->items = sm_new((chosen->n + 2) * sizeof *all->items);
    for (size_t i = 0; i < chosen->n; i++) {
        if (!add_alone(all, chosen->variables[i], &chosen->verdicts[i], error))
            return false;
        sm_investigation_number(&all->items[i], i, chosen->n);
    }
    return investigate_in_time(all, error);
}

/* A legal witness of a failure that verify has excluded is a bug of Stalemate. */
static bool check_proofs(const struct sm_investigations *all, struct sm_error *error)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct sm_investigation *item = &all->items[i];
        if (item->exact.decided && item->evidence.witnessed &&
            (!item->exact.witnessed || item->proof.model < item->exact.proof.model))
            return sm_fail(error, SM_STATUS_INTERNAL,
                           "internal error: verify does not find the failure of %s that %s shows; "
                           "please report it with that file",
                           item->name, item->proof.witness);
    }
    return true;
}

bool sm_investigate_alone(struct sm_investigations *all, struct sm_survey *survey,
                          struct sm_error *error)
{
    const struct sm_variables *variables = &survey->variables;
    struct chosen chosen = {0};
    if (!check_wanted(all, variables, error) ||
        !sm_exact_begin(&all->exact, all->hunt, variables->n, error))
        return false;
    choose(all, variables, &chosen);
    bool ok = decide(all, &chosen, survey, error) && investigate_chosen(all, &chosen, error) &&
              check_proofs(all, error);
    free_chosen(&chosen);
    return ok;
}

/* ---- what comes late ---- */

static bool add_late(struct sm_investigations *all, const struct sm_variables *late,
                     struct sm_error *error)
{
    all->items = sm_resize(all->items, (all->n + late->n + 2) * sizeof *all->items);
    for (size_t i = 0; i < all->n; i++) /* they may have moved */
        all->items[i].prescience.plan = &all->items[i].plan;
    for (size_t i = 0; i < late->n; i++) {
        if (!is_wanted(all, late->items[i].name))
            continue;
        if (!add_investigation(all, late->items[i].name, &late->items[i].sites, error))
            return false;
        all->n_late++;
    }
    return true;
}

bool sm_investigate_late(struct sm_investigations *all, struct sm_survey *survey,
                         struct sm_error *error)
{
    bool found = survey->n_failures || all->exact.n_failures || count_witnessed(all) ||
                 (all->hunt->late && all->hunt->late->n);
    if (all->exact.sound)
        return true;
    snprintf(all->progress->what, sizeof all->progress->what, "orders of accesses");
    if (!sm_search_run(survey, found, error))
        return false;
    sm_survey_find_late(survey);
    for (size_t i = 0; i < all->n; i++)
        sm_investigation_reconsider(&all->items[i]);
    return add_late(all, &survey->late, error) && investigate(all, 0, error);
}

/* ---- all variables together ---- */

static bool lies_about(const struct sm_investigation *investigation,
                       const struct sm_watchlist *liars)
{
    for (size_t i = 0; i < liars->n; i++)
        if (sm_watchlist_has(investigation->sites, liars->sites[i]))
            return true;
    return false;
}

/* Of the variables that were investigated alone, those that the witness lies about. */
static size_t find_liars(const struct sm_investigations *all, size_t n_alone,
                         const struct sm_investigation *together, bool *liar)
{
    size_t n = 0;
    for (size_t i = 0; i < n_alone; i++)
        n += liar[i] = lies_about(&all->items[i], &together->proof.liars);
    return n;
}

static void name_together(const struct sm_investigations *all, size_t n_alone, const bool *liar,
                          struct sm_investigation *together)
{
    struct sm_buffer name = {0};
    for (size_t i = 0; i < n_alone; i++)
        if (liar[i])
            sm_buffer_print(&name, "%s%s", name.size ? " + " : "", all->items[i].name);
    free(together->name);
    together->name = name.data;
}

/* Is it new that lies about these break the program? Yes, if none is destructive alone. */
static bool is_news(const struct sm_investigations *all, size_t n_alone, const bool *liar)
{
    for (size_t i = 0; i < n_alone; i++)
        if (liar[i] && is_witnessed(&all->items[i]))
            return false;
    return true;
}

/* Lies about all of these at once. The investigation is kept, as the last, if that breaks the
   program; then `liar` is about those that its witness lies about. */
static bool try_together(struct sm_investigations *all, size_t n_alone, bool *liar, bool *broken,
                         struct sm_error *error)
{
    struct sm_watchlist *sites = sm_new(sizeof *sites);
    for (size_t i = 0; i < n_alone; i++)
        for (size_t k = 0; liar[i] && k < all->items[i].sites->n; k++)
            sm_watchlist_add(sites, all->items[i].sites->sites[k]);
    all->unions = sm_resize(all->unions, (all->n_unions + 1) * sizeof *all->unions);
    all->unions[all->n_unions++] = sites;
    size_t first = all->n;
    if (!add_investigation(all, "all together", sites, error))
        return false;
    /* Later tries depend on the result of this one, and shards know of no late variables. */
    if (first == n_alone && !all->n_late)
        sm_investigation_number(&all->items[first], n_alone, n_alone);
    if (!investigate(all, first, error))
        return false;
    struct sm_investigation *together = &all->items[first];
    *broken = together->evidence.witnessed && find_liars(all, n_alone, together, liar) > 1 &&
              is_news(all, n_alone, liar);
    if (*broken)
        return true;
    sm_investigation_close(together);
    all->n--;
    return true;
}

/* Tries without one of the liars, each in turn. A store buffer delays stores of all variables
   at once, so that a witness lies about more of them than it needs. */
static bool try_without_one(struct sm_investigations *all, size_t n_alone, bool *liar, bool *fewer,
                            struct sm_error *error)
{
    bool *rest = sm_new(n_alone * sizeof *rest);
    bool ok = true;
    *fewer = false;
    for (size_t i = 0; ok && !*fewer && i < n_alone; i++) {
        if (!liar[i])
            continue;
        memcpy(rest, liar, n_alone * sizeof *rest);
        rest[i] = false;
        ok = try_together(all, n_alone, rest, fewer, error);
    }
    if (ok && *fewer) {
        memcpy(liar, rest, n_alone * sizeof *rest);
        sm_investigation_close(&all->items[n_alone]);
        all->items[n_alone] = all->items[n_alone + 1]; /* finished: only its result is used */
        all->n--;
    }
    free(rest);
    return ok;
}

static size_t count_true(const bool *flags, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += flags[i];
    return count;
}

bool sm_investigate_together(struct sm_investigations *all, struct sm_error *error)
{
    size_t n_alone = all->n;
    if (!all->hunt->settings->together || n_alone < 2 || all->exact.proved)
        return true;
    bool *liar = sm_new(n_alone * sizeof *liar), broken = false;
    memset(liar, true, n_alone * sizeof *liar);
    bool ok = try_together(all, n_alone, liar, &broken, error), fewer = broken;
    /* Of two variables, each has been tried alone. */
    while (ok && fewer && count_true(liar, n_alone) > 2 && !sm_campaign_over(&all->hunt->campaign))
        ok = try_without_one(all, n_alone, liar, &fewer, error);
    if (ok && broken)
        name_together(all, n_alone, liar, &all->items[n_alone]);
    free(liar);
    return ok;
}

void sm_investigations_free(struct sm_investigations *all)
{
    sm_exact_free(&all->exact);
    for (size_t i = 0; i < all->n; i++)
        sm_investigation_close(&all->items[i]);
    free(all->items);
    for (size_t i = 0; i < all->n_unions; i++) {
        free(all->unions[i]->sites);
        free(all->unions[i]);
    }
    free(all->unions);
}
