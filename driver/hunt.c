#include "hunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "../report/hunt.h"
#include "begin.h"
#include "commands.h"
#include "cover.h"
#include "interrupt.h"
#include "investigate.h"
#include "known.h"
#include "ladder.h"
#include "progress.h"
#include "race_json.h"
#include "store.h"
#include "story.h"
#include "suppress.h"
#include "symbols.h"
#include "words.h"

#define LEAST_TIMEOUT 10.0
/* Trials go on finding what they are after; a baseline has said what it has to say. */
enum { MOST_BASELINE = 250, LEAST_BASELINE = 4 };
enum { USUAL_TRIALS = 200 }; /* of a variable */
/* Trials with lies that are to find further races: each heuristic with five schedules. */
enum { MOST_HIDDEN = 20, LEAST_HIDDEN_STEPS = 10000 };
#define BASELINE_SECONDS 30.0 /* for programs so slow that this is fewer executions */
#define BASELINE_SHARE 4      /* of --time: one part in so many */

struct hunt {
    struct sm_hunt common;
    struct sm_settings settings;
    struct sm_store *store;
    struct sm_progress progress;
    struct sm_races races;
    struct sm_variables variables;
    struct sm_investigation *investigations; /* one a variable, then --together's */
    size_t n_investigations;
    struct sm_watchlist **unions; /* of sites, for --together */
    size_t n_unions;
    struct sm_case *loose; /* failures without a lie, one for each signature */
    size_t n_loose;
    struct sm_suppressions suppressions;
    struct sm_hunt_report report, earlier; /* earlier: --baseline */
};

/* ---- before any lie ---- */

static void note_limits(struct sm_baseline *baseline, const struct sm_result_facts *facts)
{
    if (facts->kind != SM_FAILURE_NONE)
        return;
    if (facts->events > baseline->events)
        baseline->events = facts->events;
    if (facts->points > baseline->points)
        baseline->points = facts->points;
    if (facts->seconds > baseline->seconds)
        baseline->seconds = facts->seconds;
}

static bool add_loose(struct hunt *hunt, const struct sm_trial *trial, struct sm_error *error)
{
    for (size_t i = 0; i < hunt->n_loose; i++)
        if (hunt->loose[i].facts.signature == trial->result.facts.signature)
            return true;
    hunt->loose = sm_resize(hunt->loose, (hunt->n_loose + 1) * sizeof *hunt->loose);
    struct sm_case *failing = &hunt->loose[hunt->n_loose];
    if (!sm_case_take(failing, trial, &hunt->common.campaign, &hunt->common.baseline, error))
        return false;
    hunt->n_loose += failing->kind != SM_FAILURE_NONE;
    return true;
}

static bool learn_baseline(struct hunt *hunt, const struct sm_trial *trial, struct sm_error *error)
{
    struct sm_baseline *baseline = &hunt->common.baseline;
    const struct sm_result_facts *facts = &trial->result.facts;
    sm_races_add(&hunt->races, trial->result.races, trial->result.n_races);
    note_limits(baseline, facts);
    sm_baseline_note(baseline, facts);
    if (facts->kind == SM_FAILURE_NONE)
        return true;
    sm_hashes_add(trial->options.narrow ? &baseline->order_failures : &baseline->race_failures,
                  facts->signature);
    return add_loose(hunt, trial, error);
}

/* Wide: every access is watched, and races are looked for. Narrow: only synchronisation is
   interleaved. */
static bool baseline_trials(struct hunt *hunt, bool wide, size_t n, struct sm_error *error)
{
    struct sm_plan plan = {.options = hunt->settings.options,
                           .watch = wide ? SM_WATCH_ALL : SM_WATCH_LIST,
                           .watched = &hunt->common.racy,
                           .wide_every = wide};
    plan.options.model = SM_MODEL_SC;
    plan.options.schedule = SM_SCHEDULES;
    plan.options.races = wide;
    if (hunt->common.baseline.points)
        plan.options.pct_length = hunt->common.baseline.points;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool ok = sm_campaign_run(&hunt->common.campaign, trials, n, error);
    for (size_t i = 0; i < n; i++) {
        if (ok && trials[i].done)
            ok = learn_baseline(hunt, &trials[i], error);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    return ok;
}

/* A race is between two accesses, and so is what a suppression is about: a variable is left
   out when all its races are. The other races are added to `kept`; returns how many variables
   there are in all. */
static size_t leave_out_suppressed(struct hunt *hunt, struct sm_races *kept)
{
    const struct sm_control *control = hunt->common.campaign.workers[0].shared.control;
    const struct sm_sites *sites = &hunt->common.campaign.sites;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    struct sm_variables all = {0};
    sm_variables_find(&all, &hunt->races, sites);
    for (size_t i = 0; i < hunt->races.n; i++) {
        json_t *json = sm_race_json(&hunt->races.items[i], &all, sites, symbols);
        if (!sm_suppressions_match(&hunt->suppressions, json))
            sm_races_add(kept, &hunt->races.items[i], 1);
        json_decref(json);
    }
    size_t n = all.n;
    sm_variables_free(&all);
    sm_symbols_close(symbols);
    return n;
}

static void find_variables(struct hunt *hunt)
{
    struct sm_races kept = {0};
    size_t n = leave_out_suppressed(hunt, &kept);
    sm_variables_free(&hunt->variables);
    sm_variables_find(&hunt->variables, &kept, &hunt->common.campaign.sites);
    for (size_t i = 0; i < kept.n; i++)
        for (uint32_t k = 0; k < kept.items[i].n_places; k++)
            sm_places_add(&hunt->common.sampled, kept.items[i].places[k]);
    sm_races_free(&kept);
    hunt->report.suppressed = n - hunt->variables.n;
    for (size_t i = 0; i < hunt->variables.n; i++)
        for (size_t k = 0; k < hunt->variables.items[i].sites.n; k++)
            sm_watchlist_add(&hunt->common.racy, hunt->variables.items[i].sites.sites[k]);
}

/* Races that come only where a lie has led: two threads inside what a stale flag should have
   kept to one. Every access is watched, and all racy variables are lied about. */
static bool find_hidden_races(struct hunt *hunt, size_t n, struct sm_error *error)
{
    struct sm_plan plan = {.options = hunt->settings.options,
                           .watch = SM_WATCH_ALL,
                           .lied = &hunt->common.racy,
                           .wide_every = 1,
                           .lies_only = true};
    plan.options.races = 1;
    if (hunt->common.baseline.points)
        plan.options.pct_length = hunt->common.baseline.points;
    if (!plan.options.steps)
        plan.options.steps = 10 * hunt->common.baseline.points + LEAST_HIDDEN_STEPS;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool ok = sm_campaign_run(&hunt->common.campaign, trials, n, error);
    for (size_t i = 0; i < n; i++) {
        if (ok && trials[i].done)
            sm_races_add(&hunt->races, trials[i].result.races, trials[i].result.n_races);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    return ok;
}

static size_t baseline_size(const struct hunt *hunt)
{
    uint64_t n = hunt->settings.trials / 2 + 2;
    double each = hunt->common.baseline.seconds / (double)hunt->common.campaign.n_workers;
    if (n > MOST_BASELINE)
        n = MOST_BASELINE;
    if (n > LEAST_BASELINE && (double)n * each > BASELINE_SECONDS)
        n = (uint64_t)(BASELINE_SECONDS / each);
    return n > LEAST_BASELINE ? n : LEAST_BASELINE;
}

/* Wide executions find the races, narrow ones the failures that are no race's fault. Two
   wide ones first: they say how long the others are. */
static bool learn_all(struct hunt *hunt, struct sm_error *error)
{
    if (!sm_hunt_begin(&hunt->common, error) || !baseline_trials(hunt, true, 2, error) ||
        !baseline_trials(hunt, true, baseline_size(hunt), error))
        return false;
    find_variables(hunt);
    size_t n = baseline_size(hunt), known = hunt->races.n;
    if (hunt->variables.n && hunt->settings.options.model != SM_MODEL_SC) {
        if (!find_hidden_races(hunt, n < MOST_HIDDEN ? n : MOST_HIDDEN, error))
            return false;
        if (hunt->races.n > known)
            find_variables(hunt);
    }
    return baseline_trials(hunt, false, n, error);
}

static bool learn(struct hunt *hunt, struct sm_error *error)
{
    struct sm_campaign *campaign = &hunt->common.campaign;
    double deadline = campaign->deadline;
    if (deadline > 0)
        campaign->deadline = campaign->started + hunt->settings.time / BASELINE_SHARE;
    bool ok = learn_all(hunt, error);
    campaign->deadline = deadline;
    if (!ok)
        return false;
    double seconds = 10 * hunt->common.baseline.seconds;
    sm_hunt_limit(&hunt->common, seconds > LEAST_TIMEOUT ? seconds : LEAST_TIMEOUT);
    return true;
}

/* ---- lies ---- */

static bool is_wanted(const struct hunt *hunt, const char *name)
{
    const struct sm_list *wanted = &hunt->settings.variables;
    return wanted->n == 0 || sm_list_has(wanted, name);
}

static bool check_wanted(const struct hunt *hunt, struct sm_error *error)
{
    const struct sm_list *wanted = &hunt->settings.variables;
    for (size_t i = 0; i < wanted->n; i++) {
        bool found = false;
        for (size_t k = 0; k < hunt->variables.n; k++)
            found |= strcmp(hunt->variables.items[k].name, wanted->items[i]) == 0;
        if (!found)
            return sm_fail(error, SM_STATUS_USAGE,
                           "--variable %s: no race on a variable of that name was seen; leave it "
                           "out to see which there are",
                           wanted->items[i]);
    }
    return true;
}

static size_t count_witnessed(const struct hunt *hunt)
{
    size_t n = 0;
    for (size_t i = 0; i < hunt->n_investigations; i++)
        n += hunt->investigations[i].findings.witnessed;
    return n;
}

static void say_where(struct hunt *hunt, size_t i)
{
    struct sm_progress *progress = &hunt->progress;
    snprintf(progress->what, sizeof progress->what, "%.50s (%zu of %zu)",
             hunt->investigations[i].name, i + 1, hunt->n_investigations);
    progress->findings = count_witnessed(hunt);
}

/* Rounds in turn, until every investigation is finished. */
static bool investigate(struct hunt *hunt, size_t first, struct sm_error *error)
{
    bool busy = true;
    hunt->progress.planned = hunt->common.campaign.executions + hunt->common.campaign.found +
                             (hunt->n_investigations - first) * hunt->settings.trials;
    while (busy) {
        busy = false;
        for (size_t i = first; i < hunt->n_investigations; i++) {
            struct sm_investigation *investigation = &hunt->investigations[i];
            if (investigation->finished)
                continue;
            say_where(hunt, i);
            if (!sm_investigation_round(investigation, error))
                return false;
            busy |= !investigation->finished;
        }
    }
    return true;
}

static bool add_investigation(struct hunt *hunt, const char *name, const struct sm_watchlist *sites,
                              struct sm_error *error)
{
    return sm_investigation_open(&hunt->investigations[hunt->n_investigations++], &hunt->common,
                                 name, sites, error);
}

static bool lie(struct hunt *hunt, struct sm_error *error)
{
    if (!check_wanted(hunt, error))
        return false;
    hunt->investigations = sm_new((hunt->variables.n + 2) * sizeof *hunt->investigations);
    for (size_t i = 0; i < hunt->variables.n; i++)
        if (is_wanted(hunt, hunt->variables.items[i].name) &&
            !add_investigation(hunt, hunt->variables.items[i].name, &hunt->variables.items[i].sites,
                               error))
            return false;
    return investigate(hunt, 0, error);
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

/* Of the variables investigated alone, those that the witness lies about. */
static size_t find_liars(const struct hunt *hunt, size_t n_alone,
                         const struct sm_investigation *together, bool *lies)
{
    size_t n = 0;
    for (size_t i = 0; i < n_alone; i++)
        n += lies[i] = lies_about(&hunt->investigations[i], &together->proof.liars);
    return n;
}

static void name_together(const struct hunt *hunt, size_t n_alone, const bool *lies,
                          struct sm_investigation *together)
{
    struct sm_buffer name = {0};
    for (size_t i = 0; i < n_alone; i++)
        if (lies[i])
            sm_buffer_print(&name, "%s%s", name.size ? " + " : "", hunt->investigations[i].name);
    free(together->name);
    together->name = name.data;
}

/* Whether it is news that lies about these break the program: none is destructive alone. */
static bool is_news(const struct hunt *hunt, size_t n_alone, const bool *lies)
{
    for (size_t i = 0; i < n_alone; i++)
        if (lies[i] && hunt->investigations[i].findings.witnessed)
            return false;
    return true;
}

/* Lies about all of these at once. The investigation is kept, as the last, if that breaks the
   program; then `lies` is about those that its witness lies about. */
static bool try_together(struct hunt *hunt, size_t n_alone, bool *lies, bool *broken,
                         struct sm_error *error)
{
    struct sm_watchlist *sites = sm_new(sizeof *sites);
    for (size_t i = 0; i < n_alone; i++)
        for (size_t k = 0; lies[i] && k < hunt->investigations[i].sites->n; k++)
            sm_watchlist_add(sites, hunt->investigations[i].sites->sites[k]);
    hunt->unions = sm_resize(hunt->unions, (hunt->n_unions + 1) * sizeof *hunt->unions);
    hunt->unions[hunt->n_unions++] = sites;
    size_t first = hunt->n_investigations;
    if (!add_investigation(hunt, "all together", sites, error) || !investigate(hunt, first, error))
        return false;
    struct sm_investigation *together = &hunt->investigations[first];
    *broken = together->findings.witnessed && find_liars(hunt, n_alone, together, lies) > 1 &&
              is_news(hunt, n_alone, lies);
    if (*broken)
        return true;
    sm_investigation_close(together);
    hunt->n_investigations--;
    return true;
}

/* Tries without one of the liars, each in turn. A store buffer delays stores of all variables
   at once, so that a witness lies about more of them than it needs. */
static bool try_without_one(struct hunt *hunt, size_t n_alone, bool *lies, bool *fewer,
                            struct sm_error *error)
{
    bool *rest = sm_new(n_alone * sizeof *rest);
    bool ok = true;
    *fewer = false;
    for (size_t i = 0; ok && !*fewer && i < n_alone; i++) {
        if (!lies[i])
            continue;
        memcpy(rest, lies, n_alone * sizeof *rest);
        rest[i] = false;
        ok = try_together(hunt, n_alone, rest, fewer, error);
    }
    if (ok && *fewer) {
        memcpy(lies, rest, n_alone * sizeof *rest);
        sm_investigation_close(&hunt->investigations[n_alone]);
        hunt->investigations[n_alone] =
            hunt->investigations[n_alone + 1]; /* finished: it only tells */
        hunt->n_investigations--;
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

static bool lie_together(struct hunt *hunt, struct sm_error *error)
{
    size_t n_alone = hunt->n_investigations;
    if (!hunt->settings.together || n_alone < 2)
        return true;
    bool *lies = sm_new(n_alone * sizeof *lies), broken = false;
    memset(lies, true, n_alone * sizeof *lies);
    bool ok = try_together(hunt, n_alone, lies, &broken, error), fewer = broken;
    /* Of two, either has been tried alone. */
    while (ok && fewer && count_true(lies, n_alone) > 2 &&
           !sm_campaign_over(&hunt->common.campaign))
        ok = try_without_one(hunt, n_alone, lies, &fewer, error);
    if (ok && broken)
        name_together(hunt, n_alone, lies, &hunt->investigations[n_alone]);
    free(lies);
    return ok;
}

/* ---- the report ---- */

static void report_accesses(struct hunt *hunt, struct sm_hunt_race *race,
                            const struct sm_variable *variable, struct sm_symbols *symbols)
{
    race->accesses = sm_resize(race->accesses,
                               (race->n_accesses + variable->n_accesses) * sizeof *race->accesses);
    for (size_t i = 0; i < variable->n_accesses; i++) {
        const struct sm_race_access *seen = &variable->accesses[i];
        race->accesses[race->n_accesses++] =
            sm_race_access_describe(seen, &hunt->common.campaign.sites, symbols);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files, without their directories, that access a variable of this name. */
static struct sm_list files_of(const char *variable, const struct sm_sites *sites)
{
    struct sm_list files = {0};
    for (uint32_t i = 0; i < sites->n; i++) {
        const char *slash = strrchr(sites->rows[i].file, '/');
        const char *file = slash ? slash + 1 : sites->rows[i].file;
        if (strcmp(sites->rows[i].variable, variable) == 0 && !sm_list_has(&files, file))
            sm_list_add(&files, file);
    }
    if (files.n)
        qsort(files.items, files.n, sizeof *files.items, by_text);
    return files;
}

/* The same in every hunt, whichever of its accesses were seen to race, and in the next build:
   names, not numbers. */
static char *identifier(const struct hunt *hunt, const struct sm_investigation *investigation)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, investigation->name);
    for (size_t i = 0; i < hunt->variables.n; i++) {
        const struct sm_variable *variable = &hunt->variables.items[i];
        if (!sm_watchlist_has(investigation->sites, variable->sites.sites[0]))
            continue;
        struct sm_list files = files_of(variable->name, &hunt->common.campaign.sites);
        for (size_t k = 0; k < files.n; k++)
            sm_buffer_print(&text, "\n%s", files.items[k]);
        sm_list_free(&files);
    }
    XXH64_hash_t hash = XXH3_64bits(text.data, text.size);
    sm_buffer_free(&text);
    return sm_print("%08x", (unsigned)(hash ^ hash >> 32));
}

/* Different memory may have the same name; then they are numbered. */
static char *unique_identifier(const struct hunt *hunt,
                               const struct sm_investigation *investigation, size_t n_races)
{
    char *id = identifier(hunt, investigation);
    size_t length = strlen(id), same = 0;
    for (size_t i = 0; i < n_races; i++)
        same += strncmp(hunt->report.races[i].id, id, length) == 0;
    if (!same)
        return id;
    char *numbered = sm_print("%s-%zu", id, same + 1);
    free(id);
    return numbered;
}

static void report_race(struct hunt *hunt, const struct sm_investigation *investigation,
                        struct sm_symbols *symbols)
{
    struct sm_hunt_report *report = &hunt->report;
    struct sm_hunt_race *race = &report->races[report->n_races++];
    const struct sm_proof *proof = &investigation->proof;
    *race = (struct sm_hunt_race){.variable = sm_copy_text(investigation->name)};
    sm_tally_count(&race->tally, &hunt->common.baseline, &investigation->findings,
                   investigation->trials, investigation->n_trials);
    sm_tally_add(&race->tally, &hunt->common.baseline, &investigation->findings,
                 investigation->prescience.trials, investigation->prescience.n_trials);
    race->verdict = sm_tally_verdict(&race->tally, &investigation->findings);
    for (size_t i = 0; i < hunt->variables.n; i++)
        if (sm_watchlist_has(investigation->sites, hunt->variables.items[i].sites.sites[0]))
            report_accesses(hunt, race, &hunt->variables.items[i], symbols);
    race->id = unique_identifier(hunt, investigation, report->n_races - 1);
    if (!investigation->findings.witnessed)
        return;
    race->model = sm_model_words[investigation->failing.options.model];
    race->failure = (struct sm_failure){.kind = proof->failure.kind,
                                        .detail = sm_copy_text(proof->failure.detail),
                                        .place = sm_place_copy(&proof->failure.place),
                                        .thread = proof->failure.thread,
                                        .circular = proof->failure.circular};
    for (uint32_t i = 0; i < proof->failure.stack.n; i++)
        sm_stack_add(&race->failure.stack, sm_place_copy(&proof->failure.stack.frames[i]));
    race->witness = sm_copy_text(proof->witness);
    for (size_t i = 0; i < proof->story.n; i++)
        sm_list_add(&race->story, proof->story.items[i]);
}

/* A failure without a lie that some variable was found to be to blame for is told there. */
static bool is_explained(const struct hunt *hunt, const struct sm_case *failing)
{
    for (size_t i = 0; i < hunt->n_investigations; i++) {
        const struct sm_investigation *investigation = &hunt->investigations[i];
        for (size_t k = 0; investigation->findings.witnessed && k < investigation->n_trials; k++)
            if (investigation->trials[k].result.facts.signature == failing->facts.signature)
                return true;
    }
    return false;
}

static bool report_loose(struct hunt *hunt, struct sm_case *failing, struct sm_error *error)
{
    struct sm_hunt_report *report = &hunt->report;
    struct sm_proof proof;
    bool proved;
    if (is_explained(hunt, failing) || sm_interrupt_signal())
        return true;
    if (!sm_shrink(failing, &hunt->common.campaign, &hunt->common.baseline, error) ||
        !sm_prove(&proof, &hunt->common, failing, "failure", &proved, error))
        return false;
    if (!proved) {
        sm_proof_free(&proof);
        return true;
    }
    report->failures =
        sm_resize(report->failures, (report->n_failures + 1) * sizeof *report->failures);
    report->failures[report->n_failures++] = (struct sm_hunt_failure){
        .failure = proof.failure, .witness = proof.witness, .story = proof.story};
    free(proof.liars.sites);
    return true;
}

static bool fill_report(struct hunt *hunt, struct sm_error *error)
{
    struct sm_hunt_report *report = &hunt->report;
    const struct sm_campaign *campaign = &hunt->common.campaign;
    const struct sm_control *control = campaign->workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    report->races = sm_new((hunt->n_investigations + 1) * sizeof *report->races);
    for (size_t i = 0; i < hunt->n_investigations; i++)
        report_race(hunt, &hunt->investigations[i], symbols);
    sm_symbols_close(symbols);
    bool ok = true;
    for (size_t i = 0; ok && i < hunt->n_loose; i++)
        ok = report_loose(hunt, &hunt->loose[i], error);
    report->target = hunt->settings.operands.items;
    report->seconds = sm_campaign_seconds(campaign);
    report->executions = campaign->executions;
    report->found = campaign->found;
    report->baseline_exit = hunt->common.baseline.exit_status;
    report->baseline_events = hunt->common.baseline.events;
    report->baseline_outcomes = hunt->common.baseline.outputs.n;
    report->interrupted = sm_interrupt_signal();
    report->out_of_time = !report->interrupted && sm_campaign_over(campaign);
    return ok;
}

static bool looks_benign(const struct sm_hunt_race *race)
{
    return race->verdict == SM_VERDICT_BENIGN || race->verdict == SM_VERDICT_UNDECIDED;
}

/* One proof is for all races at once: where another one is destructive there is none. */
static void prove_benign(struct hunt *hunt)
{
    struct sm_hunt_report *report = &hunt->report;
    size_t open = 0;
    bool proved = false;
    for (size_t i = 0; i < report->n_races; i++)
        open += looks_benign(&report->races[i]);
    if (!hunt->settings.prove || !open || sm_interrupt_signal())
        return;
    report->proof = sm_cover(&hunt->common, &proved);
    for (size_t i = 0; i < report->n_races; i++)
        if (proved && looks_benign(&report->races[i]))
            report->races[i].verdict = SM_VERDICT_PROVED_BENIGN;
}

static bool store_findings(struct hunt *hunt, struct sm_error *error)
{
    char *target = sm_store_target(&hunt->settings);
    char *json = sm_hunt_json_text(&hunt->report);
    struct sm_store_result result = {.target = target, .json = json};
    bool ok = sm_store_put(hunt->store, hunt->common.campaign.identity, &result, error);
    free(json);
    free(target);
    return ok;
}

static bool show(struct hunt *hunt, struct sm_error *error)
{
    const struct sm_settings *settings = &hunt->settings;
    bool json_on_stdout = settings->json && strcmp(settings->json, "-") == 0;
    FILE *to = json_on_stdout ? stderr : stdout;
    if (!settings->quiet)
        sm_report_hunt_text(&hunt->report, settings->verbose,
                            sm_settings_color(settings, fileno(to)), to);
    if (!settings->quiet)
        sm_suppressions_show_unused(&hunt->suppressions);
    fflush(to); /* a signal may end us before we exit */
    return !settings->json || sm_report_hunt_json(&hunt->report, settings->json, error);
}

/* ---- the command ---- */

static bool read_known(struct hunt *hunt, struct sm_error *error)
{
    const struct sm_settings *settings = &hunt->settings;
    const char *baseline = settings->baseline;
    if (baseline && settings->json && strcmp(baseline, settings->json) == 0)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--json %s would leave only what is new in the baseline; write to another "
                       "file",
                       baseline);
    return sm_suppressions_read(&hunt->suppressions, settings->suppressions, error) &&
           (!baseline || sm_known_read(&hunt->earlier, baseline, error));
}

static bool check_prescience(const struct sm_settings *settings, struct sm_error *error)
{
    if (settings->prescient && settings->no_prescient)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--prescient and --no-prescient are both given; leave one out");
    if (settings->prescient && settings->options.model != SM_MODEL_HB)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--prescient: only the model hb has values from the future; leave out "
                       "--model, or --prescient");
    return true;
}

static bool open_hunt(struct hunt *hunt, struct sm_error *error)
{
    const struct sm_settings *settings = &hunt->settings;
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "hunt: no program given; type: stalemate hunt [OPTIONS] -- PROGRAM ARGS...");
    if (!read_known(hunt, error))
        return false;
    if (!check_prescience(settings, error))
        return false;
    hunt->common.settings = settings;
    hunt->common.may_stretch = !settings->trials;
    if (!settings->trials)
        hunt->settings.trials = USUAL_TRIALS;
    hunt->common.witnesses = sm_print("%s/witnesses", out);
    hunt->store = sm_store_open(out, error);
    if (!hunt->store || !sm_campaign_open(&hunt->common.campaign, settings, hunt->store, error))
        return false;
    hunt->common.campaign.sampled = &hunt->common.sampled;
    if (!settings->quiet)
        sm_progress_start(&hunt->progress, &hunt->common.campaign);
    return true;
}

static void close_hunt(struct hunt *hunt)
{
    for (size_t i = 0; i < hunt->n_investigations; i++)
        sm_investigation_close(&hunt->investigations[i]);
    free(hunt->investigations);
    for (size_t i = 0; i < hunt->n_unions; i++) {
        free(hunt->unions[i]->sites);
        free(hunt->unions[i]);
    }
    free(hunt->unions);
    for (size_t i = 0; i < hunt->n_loose; i++)
        sm_case_free(&hunt->loose[i]);
    free(hunt->loose);
    sm_hunt_report_free(&hunt->report);
    sm_hunt_report_free(&hunt->earlier);
    sm_suppressions_free(&hunt->suppressions);
    sm_variables_free(&hunt->variables);
    sm_races_free(&hunt->races);
    sm_baseline_free(&hunt->common.baseline);
    sm_buffer_free(&hunt->common.usual_output);
    sm_campaign_close(&hunt->common.campaign);
    sm_store_close(hunt->store);
    free(hunt->common.witnesses);
    free(hunt->common.racy.sites);
    sm_settings_free(&hunt->settings);
}

static bool run_hunt(struct hunt *hunt, struct sm_error *error)
{
    bool ok = open_hunt(hunt, error) && learn(hunt, error) && lie(hunt, error) &&
              lie_together(hunt, error) && fill_report(hunt, error);
    if (ok)
        prove_benign(hunt);
    ok = ok && store_findings(hunt, error);
    sm_progress_wipe(&hunt->progress);
    if (ok) /* what is stored is whole, for other reports */
        sm_known_drop(&hunt->report, &hunt->earlier);
    ok = ok && show(hunt, error);
    return ok;
}

static int status_of(const struct sm_hunt_report *report, enum sm_fail_on fail_on)
{
    size_t found = sm_hunt_count(report, SM_VERDICT_DESTRUCTIVE);
    if (fail_on != SM_FAIL_ON_DESTRUCTIVE)
        found = report->n_races;
    if (fail_on == SM_FAIL_ON_RACE)
        found -= sm_hunt_count(report, SM_VERDICT_PROVED_BENIGN);
    return found || report->n_failures ? SM_STATUS_FOUND : SM_STATUS_OK;
}

int sm_hunt_main(int argc, char **argv)
{
    (void)argc;
    struct hunt hunt = {0};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&hunt.settings, SM_COMMAND_HUNT, true, argv, &error);
    if (ok && hunt.settings.help) {
        sm_command_help("hunt", SM_COMMAND_HUNT);
        sm_settings_free(&hunt.settings);
        return SM_STATUS_OK;
    }
    sm_interrupt_catch();
    ok = ok && run_hunt(&hunt, &error);
    int status = ok ? status_of(&hunt.report, hunt.settings.fail_on) : sm_error_print(&error);
    close_hunt(&hunt);
    sm_interrupt_finish();
    return status;
}
