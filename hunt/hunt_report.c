#include "hunt/hunt_report.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "abi/library_name.h"
#include "base/interrupt.h"
#include "base/words.h"
#include "campaign/shards.h"
#include "hunt/explain.h"
#include "hunt/late.h"
#include "hunt/search.h"
#include "target/symbols.h"

struct writer {
    struct sm_hunt_report *report;
    struct sm_hunt *hunt;
    const struct sm_survey *survey;
    struct sm_investigations *investigations;
    struct sm_symbols *symbols;
};

static size_t n_variables(const struct writer *to)
{
    return to->survey->variables.n + to->survey->late.n;
}

static const struct sm_variable *variable_at(const struct writer *to, size_t i)
{
    const struct sm_variables *first = &to->survey->variables;
    return i < first->n ? &first->items[i] : &to->survey->late.items[i - first->n];
}

static void report_accesses(struct writer *to, struct sm_hunt_race *race,
                            const struct sm_variable *variable)
{
    race->accesses = sm_resize(race->accesses,
                               (race->n_accesses + variable->n_accesses) * sizeof *race->accesses);
    for (size_t i = 0; i < variable->n_accesses; i++) {
        const struct sm_race_access *seen = &variable->accesses[i];
        race->accesses[race->n_accesses++] =
            sm_race_access_describe(seen, &to->hunt->campaign.sites, to->symbols);
    }
}

/* ---- the user's name for it ---- */

/* Inside a library's object, or reached by a pointer, the variable's own name says little. */
static bool wants_object(const struct sm_hunt_race *race)
{
    if (strpbrk(race->variable, "*?"))
        return true;
    for (size_t i = 0; i < race->n_accesses; i++)
        if (race->accesses[i].place.file && !sm_library_file(race->accesses[i].place.file))
            return false;
    return race->n_accesses > 0;
}

/* "slot[3].next" to "slot[].next": all elements of an array are one variable. In place. */
static void drop_indices(char *name)
{
    char *to = name;
    for (const char *from = name; *from; from++) {
        *to++ = *from;
        if (*from == '[')
            from += strspn(from + 1, "0123456789");
    }
    *to = 0;
}

/* If all memory that raced has the same name. */
static void report_object(struct writer *to, struct sm_hunt_race *race,
                          const struct sm_variable *variable)
{
    if (race->object || !wants_object(race))
        return;
    for (size_t i = 0; i < variable->n_addresses; i++) {
        char *type, *name = sm_symbols_memory(to->symbols, variable->addresses[i], 1, &type);
        bool first = i == 0;
        if (name)
            drop_indices(name);
        bool same = first ? name != NULL : name && strcmp(name, race->object) == 0;
        if (first) {
            race->object = name;
            race->type = type;
        } else {
            free(name);
            free(type);
        }
        if (same)
            continue;
        free(race->object);
        free(race->type);
        race->object = race->type = NULL;
        return;
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

/* The same in every hunt, whichever of its accesses were seen to race, and in the next build: made
   of names, not numbers. */
static char *identifier(const struct writer *to, const struct sm_investigation *investigation)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, investigation->name);
    for (size_t i = 0; i < n_variables(to); i++) {
        const struct sm_variable *variable = variable_at(to, i);
        if (!sm_watchlist_has(investigation->sites, variable->sites.sites[0]))
            continue;
        struct sm_list files = files_of(variable->name, &to->hunt->campaign.sites);
        for (size_t k = 0; k < files.n; k++)
            sm_buffer_print(&text, "\n%s", files.items[k]);
        sm_list_free(&files);
    }
    XXH64_hash_t hash = XXH3_64bits(text.data, text.size);
    sm_buffer_free(&text);
    return sm_print("%08x", (unsigned)(hash ^ hash >> 32));
}

/* Different variables may have the same name; then they are numbered. */
static char *unique_identifier(const struct writer *to,
                               const struct sm_investigation *investigation, size_t n_races)
{
    char *id = identifier(to, investigation);
    size_t length = strlen(id), same = 0;
    for (size_t i = 0; i < n_races; i++)
        same += strncmp(to->report->races[i].id, id, length) == 0;
    if (!same)
        return id;
    char *numbered = sm_print("%s-%zu", id, same + 1);
    free(id);
    return numbered;
}

static void report_witness(struct sm_hunt_race *race, const struct sm_proof *proof)
{
    race->model = proof->model;
    race->failure = sm_failure_copy(&proof->failure);
    race->witness = sm_copy_text(proof->witness);
    for (size_t i = 0; i < proof->story.n; i++)
        sm_list_add(&race->story, proof->story.items[i]);
}

static void report_race(struct writer *to, const struct sm_investigation *investigation)
{
    struct sm_hunt_report *report = to->report;
    struct sm_hunt_race *race = &report->races[report->n_races++];
    *race =
        (struct sm_hunt_race){.variable = sm_copy_text(investigation->name), .model = SM_MODELS};
    sm_tally_count(&race->tally, &to->hunt->baseline, &investigation->evidence,
                   investigation->trials, investigation->n_trials);
    sm_tally_add(&race->tally, &to->hunt->baseline, &investigation->evidence,
                 investigation->prescience.trials, investigation->prescience.n_trials);
    race->coverage = sm_investigation_coverage(investigation);
    const struct sm_proof *proof = sm_investigation_proof(investigation);
    race->verdict = proof ? SM_VERDICT_DESTRUCTIVE
                    : investigation->exact.decided
                        ? SM_VERDICT_PROVED_BENIGN
                        : sm_tally_verdict(&race->tally, &investigation->evidence);
    /* No model is stronger than sc. */
    race->exact = investigation->exact.decided || (proof && proof->model == SM_MODEL_SC);
    for (size_t i = 0; i < n_variables(to); i++)
        if (sm_watchlist_has(investigation->sites, variable_at(to, i)->sites.sites[0])) {
            report_accesses(to, race, variable_at(to, i));
            report_object(to, race, variable_at(to, i));
        }
    race->id = unique_identifier(to, investigation, report->n_races - 1);
    if (proof)
        report_witness(race, proof);
}

/* ---- failures under sc ---- */

static struct sm_hunt_failure *add_failure(struct sm_hunt_report *report)
{
    report->failures =
        sm_resize(report->failures, (report->n_failures + 1) * sizeof *report->failures);
    struct sm_hunt_failure *failure = &report->failures[report->n_failures++];
    *failure = (struct sm_hunt_failure){0};
    return failure;
}

static bool report_failure(struct writer *to, struct sm_survey_failure *found,
                           struct sm_error *error)
{
    struct sm_hunt *hunt = to->hunt;
    struct sm_proof proof;
    bool proved;
    if (sm_interrupt_signal())
        return true;
    if (!sm_shrink(&found->failing, &hunt->campaign, &hunt->baseline, error) ||
        !sm_prove(&proof, hunt, &found->failing, "failure", &proved, error))
        return false;
    if (!proved && sm_campaign_over(&hunt->campaign)) {
        sm_proof_free(&proof);
        *add_failure(to->report) = (struct sm_hunt_failure){
            .failure = {.kind = found->failing.kind,
                        .detail = sm_copy_text("seen, but the time was over before it could be "
                                               "made again; give more with --time SECONDS")},
            .count = found->count,
            .racy =
                !sm_hashes_have(&hunt->baseline.order_failures, found->failing.facts.signature)};
        return true;
    }
    if (!proved) {
        sm_proof_free(&proof);
        return true;
    }
    *add_failure(to->report) = (struct sm_hunt_failure){
        .failure = proof.failure,
        .witness = proof.witness,
        .story = proof.story,
        .count = found->count,
        .racy = !sm_hashes_have(&hunt->baseline.order_failures, found->failing.facts.signature)};
    free(proof.liars.sites);
    return true;
}

/* Executions that merge makes itself, to reduce failures and to prove them, are not counted: the
   numbers are the same however often, and in which order, the shards are merged. */
static void report_shards(struct sm_hunt_report *report, const struct sm_gathered *gathered)
{
    report->seconds = gathered->seconds;
    report->executions = gathered->executions;
    report->found = 0;
    report->merged = &gathered->merged;
    report->out_of_time |= !report->interrupted && !sm_gathered_complete(gathered);
}

/* ---- failures under sc that verify has found ---- */

static bool is_same_place(const struct sm_place *a, const struct sm_place *b)
{
    return a->line == b->line && (!a->file || !b->file || strcmp(a->file, b->file) == 0);
}

static bool is_same_failure(const struct sm_failure *a, const struct sm_failure *b)
{
    if (sm_failure_is_stall(b->kind) && a->kind == SM_FAILURE_HANG)
        return true; /* what verify calls threads that wait in loops */
    if (sm_failure_is_stall(a->kind) && sm_failure_is_stall(b->kind))
        return is_same_place(&a->place, &b->place) &&
               (a->kind != SM_FAILURE_DEADLOCK || b->kind != SM_FAILURE_DEADLOCK ||
                strcmp(a->detail, b->detail) == 0);
    return a->kind == b->kind && is_same_place(&a->place, &b->place);
}

static bool is_reported(const struct sm_hunt_report *report, const struct sm_failure *failure)
{
    for (size_t i = 0; i < report->n_failures; i++)
        if (is_same_failure(&report->failures[i].failure, failure))
            return true;
    return false;
}

/* Trials see a livelock only as a spent budget, and a lost wake-up as a deadlock if not every
   access is watched. */
static bool is_vaguer(const struct sm_failure *a, const struct sm_failure *than)
{
    return (a->kind == SM_FAILURE_HANG && than->kind == SM_FAILURE_LIVELOCK) ||
           (a->kind == SM_FAILURE_DEADLOCK && than->kind == SM_FAILURE_LOST_WAKEUP &&
            is_same_place(&a->place, &than->place));
}

static void remove_vaguer(struct sm_hunt_report *report, const struct sm_failure *than)
{
    for (size_t i = report->n_failures; i > 0; i--)
        if (is_vaguer(&report->failures[i - 1].failure, than))
            sm_hunt_remove_failure(report, i - 1);
}

static void report_explored(struct writer *to)
{
    struct sm_exact *exact = &to->investigations->exact;
    for (size_t i = 0; i < exact->n_failures; i++) {
        struct sm_proof *proof = &exact->failures[i];
        remove_vaguer(to->report, &proof->failure);
        if (is_reported(to->report, &proof->failure))
            continue;
        *add_failure(to->report) = (struct sm_hunt_failure){.failure = proof->failure,
                                                            .witness = proof->witness,
                                                            .story = proof->story,
                                                            .count = 1,
                                                            .racy = to->survey->races.n > 0};
        free(proof->liars.sites);
        *proof = (struct sm_proof){0};
    }
}

/* ---- warnings, and what is suppressed ---- */

static bool is_at(const struct sm_failure *failure, const struct sm_place *place)
{
    const struct sm_place *own = &failure->place;
    if (own->file && place->file && own->line == place->line && strcmp(own->file, place->file) == 0)
        return true;
    for (uint32_t i = 0; i < failure->n_related; i++) {
        own = &failure->related[i].place;
        if (own->file && place->file && own->line == place->line &&
            strcmp(own->file, place->file) == 0)
            return true;
    }
    return false;
}

/* A deadlock in which a thread waits at a place of this lock order. */
static bool happens(const struct sm_hunt_report *report, const struct sm_failure *order)
{
    for (size_t i = 0; i < report->n_failures; i++)
        if (report->failures[i].failure.kind == SM_FAILURE_DEADLOCK &&
            is_at(order, &report->failures[i].failure.place))
            return true;
    return false;
}

static void report_warnings(struct sm_hunt_report *report, const struct sm_hunt *hunt,
                            struct sm_suppressions *suppressions)
{
    const struct sm_campaign *campaign = &hunt->campaign;
    const struct sm_control *control = campaign->workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    report->warnings = sm_new((campaign->n_warnings + 1) * sizeof *report->warnings);
    for (uint32_t i = 0; i < campaign->n_warnings; i++) {
        struct sm_failure failure =
            sm_failure_of_harm(&campaign->warnings[i], symbols, &campaign->sites);
        if (sm_suppressions_failure(suppressions, &failure)) {
            report->suppressed++;
            sm_failure_free(&failure);
            continue;
        }
        report->warnings[report->n_warnings++] =
            (struct sm_hunt_warning){failure, happens(report, &failure)};
    }
    sm_symbols_close(symbols);
}

static void leave_out_suppressed(struct sm_hunt_report *report,
                                 struct sm_suppressions *suppressions)
{
    for (size_t i = report->n_failures; i > 0; i--)
        if (sm_suppressions_failure(suppressions, &report->failures[i - 1].failure)) {
            report->suppressed++;
            sm_hunt_remove_failure(report, i - 1);
        }
}

/* ---- what was not looked at ---- */

static bool is_weak_atomic(const struct sm_site_row *row)
{
    bool atomic = row->kind == SM_SITE_ATOMIC_LOAD || row->kind == SM_SITE_ATOMIC_STORE ||
                  row->kind == SM_SITE_RMW || row->kind == SM_SITE_CAS;
    return atomic && row->order != SM_ORDER_SEQ_CST && !sm_library_file(row->file);
}

static bool is_investigated(const struct sm_investigations *investigations, uint32_t site)
{
    for (size_t i = 0; i < investigations->n; i++)
        if (sm_watchlist_has(investigations->items[i].sites, site))
            return true;
    return false;
}

static void list_weak_atomics(struct writer *to)
{
    const struct sm_sites *sites = &to->hunt->campaign.sites;
    if (to->hunt->settings->options.model == SM_MODEL_SC || to->investigations->exact.proved)
        return;
    for (uint32_t i = 0; i < sites->n; i++) {
        const struct sm_site_row *row = &sites->rows[i];
        if (is_weak_atomic(row) && !is_investigated(to->investigations, row->number) &&
            !sm_list_has(&to->report->weak_atomics, row->variable))
            sm_list_add(&to->report->weak_atomics, row->variable);
    }
}

static void report_numbers(struct sm_hunt_report *report, const struct sm_hunt *hunt)
{
    const struct sm_campaign *campaign = &hunt->campaign;
    report->target = hunt->settings->operands.items;
    report->seconds = sm_campaign_seconds(campaign);
    report->executions = campaign->executions;
    report->found = campaign->found;
    report->baseline_exit = hunt->baseline.exit_status;
    report->baseline_errors = sm_copy_text(hunt->baseline.errors);
    report->always_fails = !hunt->baseline.outputs.n;
    report->baseline_events = hunt->baseline.events;
    report->baseline_outcomes = hunt->baseline.outputs.n;
    report->interrupted = sm_interrupt_signal();
    report->out_of_time = !report->interrupted && campaign->cut;
    if (campaign->gathered)
        report_shards(report, campaign->gathered);
}

bool sm_hunt_report_fill(struct sm_hunt_report *report, struct sm_survey *survey,
                         struct sm_investigations *investigations, struct sm_error *error)
{
    struct sm_hunt *hunt = survey->hunt;
    const struct sm_control *control = hunt->campaign.workers[0].shared.control;
    struct writer to = {.report = report,
                        .hunt = hunt,
                        .survey = survey,
                        .investigations = investigations,
                        .symbols = sm_symbols_open(control->mappings, control->n_mappings)};
    report->suppressed = survey->suppressed;
    report->races = sm_new((investigations->n + 1) * sizeof *report->races);
    for (size_t i = 0; i < investigations->n; i++)
        report_race(&to, &investigations->items[i]);
    sm_symbols_close(to.symbols);
    bool ok = true;
    for (size_t i = 0; ok && i < survey->n_failures; i++)
        ok = report_failure(&to, &survey->failures[i], error);
    for (size_t i = 0; ok && hunt->late && i < hunt->late->n; i++) {
        struct sm_survey_failure late = {.failing = hunt->late->items[i], .count = 1};
        ok = report_failure(&to, &late, error);
        hunt->late->items[i] = late.failing; /* reduced */
    }
    report_explored(&to);
    report->search = sm_search_result(survey, investigations->exact.sound);
    report_warnings(report, hunt, survey->suppressions);
    leave_out_suppressed(report, survey->suppressions);
    sm_findings_explain(report, investigations);
    list_weak_atomics(&to);
    report_numbers(report, hunt);
    return ok;
}
