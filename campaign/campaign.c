#include "campaign/campaign.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "campaign/shards.h"
#include "campaign/signature.h"
#include "campaign/store.h"
#include "target/assume.h"
#include "target/input.h"
#include "target/notes.h"
#include "target/spawn.h"
#include "target/symbols.h"

/* Part of --time for trials; the rest is for the witnesses of their failures. */
#define TRIALS_SHARE 0.85

bool sm_campaign_over(const struct sm_campaign *campaign)
{
    return sm_interrupt_signal() || (campaign->deadline > 0 && sm_now() > campaign->deadline);
}

double sm_campaign_seconds(const struct sm_campaign *campaign)
{
    return sm_now() - campaign->started;
}

void sm_campaign_limit(struct sm_campaign *campaign, const struct sm_settings *settings,
                       double seconds)
{
    if (settings->timeout > 0)
        return;
    for (size_t i = 0; i < campaign->n_workers; i++)
        campaign->workers[i].limits.seconds = seconds;
}

/* ---- sets of sites ---- */

static size_t position(const struct sm_watchlist *list, uint32_t site)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->sites[middle] < site)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sm_watchlist_has(const struct sm_watchlist *list, uint32_t site)
{
    size_t at = position(list, site);
    return at < list->n && list->sites[at] == site;
}

void sm_watchlist_add(struct sm_watchlist *list, uint32_t site)
{
    size_t at = position(list, site);
    if (site >= SM_WATCH_BITS || (at < list->n && list->sites[at] == site))
        return;
    list->sites = sm_resize(list->sites, (list->n + 1) * sizeof *list->sites);
    memmove(list->sites + at + 1, list->sites + at, (list->n - at) * sizeof *list->sites);
    list->sites[at] = site;
    list->n++;
}

void sm_watchlist_bits(const struct sm_watchlist *list, uint64_t n_sites, uint8_t *bits)
{
    memset(bits, 0, n_sites < SM_WATCH_BITS ? n_sites / 8 + 1 : SM_WATCH_BITS / 8);
    for (size_t i = 0; list && i < list->n; i++)
        bits[list->sites[i] / 8] |= (uint8_t)(1 << list->sites[i] % 8);
}

void sm_places_add(struct sm_places *places, uint64_t place)
{
    for (size_t i = 0; i < places->n; i++)
        if (places->items[i] == place)
            return;
    if (places->n < SM_MAX_SAMPLED)
        places->items[places->n++] = place;
}

/* ---- what makes an execution the same ---- */

static void hash_list(XXH3_state_t *state, const struct sm_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        XXH3_128bits_update(state, list->items[i], strlen(list->items[i]) + 1);
    XXH3_128bits_update(state, "\1", 1);
}

static void hash_objects(XXH3_state_t *state, const struct sm_control *control)
{
    for (uint32_t i = 0; control && i < control->n_mappings && i < SM_MAX_MODULES; i++) {
        char id[SM_BUILD_ID_SIZE];
        sm_image_build_id(control->mappings[i].path, id);
        XXH3_128bits_update(state, id, strlen(id) + 1);
    }
}

static void hash_file(XXH3_state_t *state, int fd)
{
    char chunk[1 << 14];
    ssize_t got;
    for (off_t at = 0; (got = pread(fd, chunk, sizeof chunk, at)) > 0; at += got)
        XXH3_128bits_update(state, chunk, (size_t)got);
}

/* Entries that may differ between nodes that run the same program. */
static bool is_of_node(const char *entry)
{
    return strncmp(entry, "PWD=", 4) == 0 || strncmp(entry, "TMPDIR=", 7) == 0 ||
           strncmp(entry, "HOSTNAME=", 9) == 0;
}

static void hash_environment(XXH3_state_t *state, const struct sm_list *environment, bool portable)
{
    for (size_t i = 0; i < environment->n; i++)
        if (!portable || !is_of_node(environment->items[i]))
            XXH3_128bits_update(state, environment->items[i], strlen(environment->items[i]) + 1);
    XXH3_128bits_update(state, "\1", 1);
}

/* Portable: the same on every node. A program that depends on its directory has different races in
   each, and its shards are not merged. */
static void identify(struct sm_campaign *campaign, bool portable)
{
    const struct sm_target *target = &campaign->workers[0];
    char directory[PATH_MAX] = "";
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    hash_list(state, &target->arguments);
    hash_environment(state, &target->environment, portable);
    XXH3_128bits_update(state, target->build_id, strlen(target->build_id) + 1);
    hash_objects(state, target->shared.control);
    if (target->shared.control) /* none in a native execution */
        XXH3_128bits_update(state, target->shared.control->repairs,
                            strlen(target->shared.control->repairs));
    if (!portable && getcwd(directory, sizeof directory))
        XXH3_128bits_update(state, directory, strlen(directory) + 1);
    hash_file(state, target->input);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    campaign->identity[0] = hash.low64;
    campaign->identity[1] = hash.high64;
}

static void hash_sites(XXH3_state_t *state, const struct sm_watchlist *list)
{
    uint64_t n = list ? list->n : 0;
    XXH3_128bits_update(state, &n, sizeof n);
    if (n)
        XXH3_128bits_update(state, list->sites, n * sizeof *list->sites);
}

void sm_campaign_key(const struct sm_campaign *campaign, const struct sm_trial *trial,
                     uint64_t key[2])
{
    uint64_t watch = trial->watch;
    const char *oracle = campaign->expectation.oracle;
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, campaign->identity, sizeof campaign->identity);
    XXH3_128bits_update(state, &campaign->expectation.exit_status, sizeof(int));
    XXH3_128bits_update(state, &trial->options, sizeof trial->options);
    XXH3_128bits_update(state, &watch, sizeof watch);
    hash_sites(state, trial->watch == SM_WATCH_LIST ? trial->watched : NULL);
    hash_sites(state, trial->lied);
    if (trial->lie_all)
        XXH3_128bits_update(state, "all", 3);
    if (oracle)
        XXH3_128bits_update(state, oracle, strlen(oracle));
    if (trial->options.sample && campaign->sampled)
        XXH3_128bits_update(state, campaign->sampled->items,
                            campaign->sampled->n * sizeof *campaign->sampled->items);
    if (trial->n_choices)
        XXH3_128bits_update(state, trial->choices, trial->n_choices * sizeof *trial->choices);
    if (trial->n_predictions)
        XXH3_128bits_update(state, trial->predictions,
                            trial->n_predictions * sizeof *trial->predictions);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    key[0] = hash.low64;
    key[1] = hash.high64;
}

static struct sm_store_key key_of(const struct sm_campaign *campaign, const struct sm_trial *trial)
{
    struct sm_store_key key = {{trial->key[0], trial->key[1]}};
    if (!key.words[0] && !key.words[1])
        sm_campaign_key(campaign, trial, key.words);
    return key;
}

static bool is_divided(const struct sm_campaign *campaign)
{
    return campaign->slice.of || campaign->gathered;
}

/* A shard stores only planned trials: merge makes the others again. Otherwise trials are stored,
   except those with an oracle, which may have changed since, those whose choices are wanted, which
   belong to a search that is different each time, and those of atomicity, which are few. */
static bool is_kept(const struct sm_campaign *campaign, const struct sm_trial *trial)
{
    if (!campaign->store || is_divided(campaign))
        return campaign->store && trial->planned;
    return !campaign->expectation.oracle && !trial->want_choices && !trial->options.atomicity;
}

bool sm_campaign_is_mine(const struct sm_campaign *campaign, uint64_t number)
{
    return !campaign->slice.of || number % campaign->slice.of == campaign->slice.index - 1;
}

/* ---- making and unmaking ---- */

static bool open_worker(struct sm_target *target, const struct sm_settings *settings,
                        double started, const struct sm_buffer *input, struct sm_error *error)
{
    int fd = sm_input_from(input, error);
    if (fd < 0 || !sm_target_open(target, settings->operands.items[0], settings->operands.items, fd,
                                  -1, -1, error))
        return false;
    target->serve = true;
    target->limits.seconds = settings->timeout;
    target->limits.deadline = settings->time > 0 ? started + settings->time : 0;
    if (settings->memory)
        target->limits.memory = settings->memory << 20;
    return sm_assume_file(target, settings->assume_fix, error) && sm_target_prepare(target, error);
}

static bool open_workers(struct sm_campaign *campaign, const struct sm_settings *settings, size_t n,
                         struct sm_error *error)
{
    struct sm_buffer input = {0};
    int fd = sm_input_spool(STDIN_FILENO, error);
    if (fd < 0)
        return false;
    struct sm_capture all = {.fd = fd, .pass_to = -1};
    sm_capture_read(&all, &input);
    close(fd);
    campaign->workers = sm_new(n * sizeof *campaign->workers);
    bool ok = true;
    while (ok && campaign->n_workers < n) {
        struct sm_target *target = &campaign->workers[campaign->n_workers++];
        *target = (struct sm_target){.input = -1, .output.fd = -1, .errors.fd = -1};
        ok = open_worker(target, settings, campaign->started, &input, error);
    }
    sm_buffer_free(&input);
    return ok;
}

static bool has_fences(const struct sm_sites *sites)
{
    for (uint32_t i = 0; i < sites->n; i++) {
        const struct sm_site_row *row = &sites->rows[i];
        if (row->kind == SM_SITE_ASM ||
            (row->kind == SM_SITE_FENCE && !(row->flags & SM_SITE_SINGLE_THREAD)))
            return true;
    }
    return false;
}

bool sm_campaign_open(struct sm_campaign *campaign, const struct sm_settings *settings,
                      struct sm_store *store, struct sm_error *error)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *campaign = (struct sm_campaign){.store = store,
                                     .started = sm_now(),
                                     .quiet = settings->quiet,
                                     .slice = settings->shard,
                                     .gathered = settings->gathered};
    if (settings->time > 0)
        campaign->deadline = campaign->started + TRIALS_SHARE * settings->time;
    size_t n = settings->jobs ? settings->jobs : cores > 0 ? (size_t)cores : 1;
    if (!open_workers(campaign, settings, n, error))
        return false;
    if (!sm_shared_sites(&campaign->workers[0].shared, &campaign->sites))
        return sm_fail(error, SM_STATUS_INTERNAL, "the program did not hand over its site table");
    campaign->fenced = has_fences(&campaign->sites);
    identify(campaign, is_divided(campaign));
    return !campaign->gathered || sm_gathered_fits(campaign->gathered, campaign, error);
}

bool sm_campaign_open_native(struct sm_campaign *campaign, const struct sm_settings *settings,
                             const char *program, struct sm_store *store, struct sm_error *error)
{
    *campaign = (struct sm_campaign){.store = store,
                                     .started = sm_now(),
                                     .quiet = true,
                                     .slice = settings->shard,
                                     .gathered = settings->gathered,
                                     .workers = sm_new(sizeof *campaign->workers),
                                     .n_workers = 1};
    struct sm_target *target = &campaign->workers[0];
    *target = (struct sm_target){.input = -1, .output.fd = -1, .errors.fd = -1};
    for (size_t i = 0; i < settings->operands.n; i++)
        sm_list_add(&target->arguments, settings->operands.items[i]);
    sm_spawn_environment(&target->environment);
    sm_image_build_id(program, target->build_id);
    identify(campaign, is_divided(campaign));
    return !campaign->gathered || sm_gathered_fits(campaign->gathered, campaign, error);
}

/* Records the time of an execution, for note_stuck. */
static void note_time(struct sm_campaign *campaign, const struct sm_trial *trial,
                      const struct sm_ended *ended)
{
    bool whole = ended->stop == SM_STOP_NONE;
    if (whole && ended->seconds > campaign->longest)
        campaign->longest = ended->seconds;
    if (ended->stop != SM_STOP_DEADLINE || ended->seconds <= campaign->stuck.seconds)
        return;
    campaign->stuck.seconds = ended->seconds;
    campaign->stuck.seed = trial->options.seed;
}

/* An execution that has run far longer than all others when the time is over may never end: only
   --timeout can tell. */
static void note_stuck(const struct sm_campaign *campaign)
{
    enum { TIMES_LONGER = 20 };
    double seconds = campaign->stuck.seconds;
    if (!campaign->executions || seconds < 1 || seconds < TIMES_LONGER * campaign->longest)
        return;
    fprintf(
        stderr,
        "note: when the time was over, the execution with seed %lu had been running for %.1f s; "
        "no other took more than %.2f s. Does it end? A limit tells: --timeout %.0f\n",
        (unsigned long)campaign->stuck.seed, seconds, campaign->longest, seconds / 2 + 1);
}

static void print_notes(const struct sm_campaign *campaign)
{
    const struct sm_control **controls = sm_new(campaign->n_workers * sizeof *controls);
    for (size_t i = 0; i < campaign->n_workers; i++)
        controls[i] = campaign->workers[i].shared.control;
    sm_notes_unknown_asm(controls, campaign->n_workers, &campaign->sites, stderr);
    note_stuck(campaign);
    free(controls);
}

void sm_campaign_close(struct sm_campaign *campaign)
{
    if (!campaign->quiet && campaign->sites.n)
        print_notes(campaign);
    for (size_t i = 0; i < campaign->n_workers; i++)
        sm_target_close(&campaign->workers[i]);
    free(campaign->workers);
    free(campaign->warnings);
    free(campaign->late);
    sm_sites_free(&campaign->sites);
    if (campaign->symbols)
        sm_symbols_close(campaign->symbols);
}

/* ---- one execution ---- */

void sm_campaign_set_out(const struct sm_campaign *campaign, struct sm_target *target,
                         const struct sm_trial *trial)
{
    struct sm_control *control = target->shared.control;
    control->watch_mode = trial->watch;
    control->lie_mode = trial->lie_all ? SM_LIE_ALL : SM_LIE_LIST;
    sm_watchlist_bits(trial->watched, control->n_sites, control->watch_bits);
    sm_watchlist_bits(trial->lied, control->n_sites, control->lie_bits);
    control->want_choices = trial->want_choices;
    control->choices_in = trial->n_choices;
    control->replay_records = 0;
    if (trial->n_choices)
        memcpy(target->shared.choices, trial->choices, trial->n_choices * sizeof *trial->choices);
    control->n_sampled = campaign->sampled ? campaign->sampled->n : 0;
    if (control->n_sampled)
        memcpy(control->sampled, campaign->sampled->items,
               control->n_sampled * sizeof *control->sampled);
    control->n_predictions = trial->n_predictions;
    if (trial->n_predictions)
        memcpy(control->predictions, trial->predictions,
               trial->n_predictions * sizeof *trial->predictions);
}

static uint64_t hash_output(const struct sm_target *target)
{
    const struct sm_control *control = target->shared.control;
    struct sm_buffer output = {0};
    sm_capture_read(&target->output, &output);
    sm_buffer_add(&output, control->outcome,
                  control->outcome_bytes < sizeof control->outcome ? control->outcome_bytes
                                                                   : sizeof control->outcome);
    uint64_t hash = XXH3_64bits(output.data ? output.data : "", output.size);
    sm_buffer_free(&output);
    return hash;
}

/* A lock-order cycle is the same wherever it is closed. */
static bool is_same_warning(const struct sm_harm *a, const struct sm_harm *b)
{
    bool same_place = a->at.site == b->at.site && a->at.stack[0] == b->at.stack[0];
    return a->kind == b->kind && (same_place || a->kind == SM_FAILURE_LOCK_ORDER) &&
           strcmp(a->detail, b->detail) == 0;
}

void sm_warnings_add(struct sm_harm **warnings, uint32_t *n, const struct sm_harm *warning)
{
    for (uint32_t i = 0; i < *n; i++)
        if (is_same_warning(&(*warnings)[i], warning))
            return;
    *warnings = sm_resize(*warnings, (*n + 1) * sizeof **warnings);
    (*warnings)[(*n)++] = *warning;
}

/* An invalid execution says nothing about the program. */
static void take_warnings(struct sm_campaign *campaign, const struct sm_outcome *outcome,
                          const struct sm_control *control)
{
    if (outcome->assumed || outcome->unvalidated || outcome->end == SM_END_DIVERGED)
        return;
    for (uint32_t i = 0; i < control->n_warnings && i < SM_MAX_WARNINGS; i++)
        if (campaign->n_warnings < SM_MAX_WARNINGS)
            sm_warnings_add(&campaign->warnings, &campaign->n_warnings, &control->warnings[i]);
}

static void take_result(struct sm_campaign *campaign, struct sm_trial *trial,
                        const struct sm_target *target, const struct sm_ended *ended,
                        const struct sm_outcome *outcome)
{
    const struct sm_control *control = target->shared.control;
    struct sm_result *result = &trial->result;
    result->facts = (struct sm_result_facts){
        .kind = outcome->failure.kind,
        .exit_status = outcome->exit_status,
        .exited = outcome->exited,
        .assumed = outcome->assumed,
        .diverged = outcome->end == SM_END_DIVERGED,
        .unvalidated = outcome->unvalidated,
        .stopped = ended->stop,
        .signature = sm_signature(campaign, outcome, control),
        .output = hash_output(target),
        .trace = control->trace_hash,
        .events = outcome->events,
        .points = control->counters[SM_COUNT_POINT],
        .stale = control->counters[SM_COUNT_STALE_READ],
        .delayed = control->counters[SM_COUNT_DELAYED_STORE],
        .future = control->counters[SM_COUNT_FUTURE_READ],
        .read_choices = control->counters[SM_COUNT_READ_CHOICE],
        .covered_lost = control->covered_lost,
        .switches = control->counters[SM_COUNT_SWITCH],
        .seconds = outcome->seconds,
    };
    take_warnings(campaign, outcome, control);
    if (trial->options.races) {
        result->n_races = control->n_races < SM_MAX_RACES ? control->n_races : SM_MAX_RACES;
        result->races = sm_copy_bytes(control->races, result->n_races * sizeof *result->races);
    }
    if (trial->options.atomicity) {
        result->violations_lost = control->violations_lost;
        result->tuples = control->counters[SM_COUNT_TUPLES];
        result->tuples_lost = control->counters[SM_COUNT_TUPLES_LOST];
        result->n_violations =
            control->n_violations < SM_MAX_VIOLATIONS ? control->n_violations : SM_MAX_VIOLATIONS;
        result->violations =
            sm_copy_bytes(control->violations, result->n_violations * sizeof *result->violations);
    }
    if (trial->want_choices) {
        result->n_choices = control->choices_out;
        result->choices =
            sm_copy_bytes(target->shared.choices, result->n_choices * sizeof *result->choices);
    }
    if (trial->options.profile) {
        result->n_foreseen = control->n_foreseen;
        result->foreseen =
            sm_copy_bytes(control->foreseen, result->n_foreseen * sizeof *result->foreseen);
    }
    if (trial->options.coverage) {
        result->n_covered = control->n_covered;
        result->covered =
            sm_copy_bytes(control->covered, result->n_covered * sizeof *result->covered);
    }
    trial->done = true;
}

void sm_result_free(struct sm_result *result)
{
    free(result->foreseen);
    free(result->covered);
    free(result->races);
    free(result->violations);
    free(result->choices);
    free(result->text);
    *result = (struct sm_result){0};
}

/* Each worker numbers the sites of libraries that are loaded later by itself. If the numbers agree,
   its table continues the known one. */
static bool learn_sites(struct sm_campaign *campaign, const struct sm_target *target,
                        struct sm_error *error)
{
    const struct sm_control *control = target->shared.control;
    uint32_t known = campaign->n_late < control->n_late ? campaign->n_late : control->n_late;
    if (known && memcmp(campaign->late, control->late, known * sizeof *campaign->late) != 0)
        return sm_fail(error, SM_STATUS_TARGET,
                       "the program loads its libraries in another order in each execution, and "
                       "they are numbered in that order; use --jobs 1");
    if (control->n_late <= campaign->n_late)
        return true;
    campaign->late = sm_resize(campaign->late, control->n_late * sizeof *campaign->late);
    memcpy(campaign->late, control->late, control->n_late * sizeof *campaign->late);
    campaign->n_late = control->n_late;
    sm_shared_sites(&target->shared, &campaign->sites);
    campaign->fenced = has_fences(&campaign->sites);
    return true;
}

/* Until an exit status is expected, every status is right. */
static bool judge(struct sm_campaign *campaign, struct sm_outcome *outcome,
                  const struct sm_target *target, const struct sm_ended *ended,
                  struct sm_error *error)
{
    if (!learn_sites(campaign, target, error))
        return false;
    if (!sm_outcome_judge(outcome, target, ended, &campaign->expectation, error))
        return false;
    if (outcome->failure.kind == SM_FAILURE_EXIT && campaign->expectation.exit_status < 0) {
        sm_outcome_free(outcome);
        outcome->failure = (struct sm_failure){0};
    }
    return true;
}

/* Stopped by the user or by --time: it says nothing about the program. */
static bool is_cut(struct sm_campaign *campaign, enum sm_stop stop)
{
    bool cut = stop == SM_STOP_INTERRUPT || stop == SM_STOP_DEADLINE;
    campaign->cut |= cut;
    return cut;
}

static enum sm_stop stop_now(const struct sm_campaign *campaign)
{
    double deadline = campaign->workers[0].limits.deadline;
    if (sm_interrupt_signal())
        return SM_STOP_INTERRUPT;
    return deadline > 0 && sm_now() > deadline ? SM_STOP_DEADLINE : SM_STOP_NONE;
}

bool sm_campaign_was_interrupted(struct sm_campaign *campaign, struct sm_error *error)
{
    if (!is_cut(campaign, stop_now(campaign)))
        return false;
    *error = (struct sm_error){0};
    return true;
}

bool sm_campaign_one(struct sm_campaign *campaign, struct sm_trial *trial,
                     struct sm_outcome *outcome, struct sm_error *error)
{
    struct sm_target *target = &campaign->workers[0];
    struct sm_ended ended;
    *outcome = (struct sm_outcome){0};
    trial->done = false;
    sm_campaign_set_out(campaign, target, trial);
    if (!sm_target_run(target, &trial->options, &ended, error))
        return sm_campaign_was_interrupted(campaign, error);
    note_time(campaign, trial, &ended);
    if (is_cut(campaign, ended.stop))
        return true;
    if (!judge(campaign, outcome, target, &ended, error))
        return false;
    campaign->executions++;
    take_result(campaign, trial, target, &ended, outcome);
    return true;
}

/* ---- many ---- */

/* The trials of one call, and which worker executes which. */
struct batch {
    struct sm_campaign *campaign;
    struct sm_trial *trials;
    size_t n, next;
    struct sm_trial **at; /* what each worker is doing; NULL: nothing */
    size_t busy;
    struct sm_error *error;
};

static void count_made(struct sm_campaign *campaign, const struct sm_trial *trial)
{
    campaign->made += trial->planned && trial->done;
    campaign->failed += trial->planned && trial->done && trial->result.facts.kind;
}

bool sm_campaign_find(struct sm_campaign *campaign, struct sm_trial *trial)
{
    if (!is_kept(campaign, trial))
        return false;
    trial->done = sm_store_find(campaign->store, key_of(campaign, trial), &trial->result);
    campaign->found += trial->done;
    count_made(campaign, trial);
    return trial->done;
}

/* Not made here: it belongs to another shard, was made before, or was lost with its shard. */
static bool is_settled(struct batch *batch, struct sm_trial *trial)
{
    struct sm_campaign *campaign = batch->campaign;
    if (trial->planned && !sm_campaign_is_mine(campaign, trial->number))
        return true;
    campaign->planned += trial->planned;
    if (sm_campaign_find(campaign, trial))
        return true;
    bool lost = trial->planned && campaign->gathered;
    campaign->cut |= lost;
    return lost;
}

/* Gives the worker the next trial to make, if there is one. */
static bool feed(struct batch *batch, size_t worker)
{
    struct sm_campaign *campaign = batch->campaign;
    while (batch->next < batch->n && !sm_campaign_over(campaign)) {
        struct sm_trial *trial = &batch->trials[batch->next++];
        if (is_settled(batch, trial))
            continue;
        sm_campaign_set_out(campaign, &campaign->workers[worker], trial);
        if (!sm_target_start(&campaign->workers[worker], &trial->options, batch->error))
            return sm_campaign_was_interrupted(campaign, batch->error);
        batch->at[worker] = trial;
        batch->busy++;
        break;
    }
    return true;
}

/* Wall-clock time is not a function of the trial. But a shard keeps what it has seen. */
static void keep(struct sm_campaign *campaign, const struct sm_trial *trial, enum sm_stop stop)
{
    if (!is_kept(campaign, trial) || (stop != SM_STOP_NONE && !is_divided(campaign)))
        return;
    struct sm_result result = trial->result;
    if (is_divided(campaign))
        result.facts.seconds = 0; /* so that equal executions have equal stored bytes */
    sm_store_keep(campaign->store, key_of(campaign, trial), &result);
}

static bool finish(struct batch *batch, size_t worker, const struct sm_ended *ended)
{
    struct sm_campaign *campaign = batch->campaign;
    struct sm_target *target = &campaign->workers[worker];
    struct sm_trial *trial = batch->at[worker];
    struct sm_outcome outcome;
    batch->at[worker] = NULL;
    batch->busy--;
    note_time(campaign, trial, ended);
    if (is_cut(campaign, ended->stop))
        return true;
    if (!judge(campaign, &outcome, target, ended, batch->error))
        return false;
    campaign->executions++;
    take_result(campaign, trial, target, ended, &outcome);
    sm_outcome_free(&outcome);
    count_made(campaign, trial);
    keep(campaign, trial, ended->stop);
    if (campaign->progress)
        campaign->progress(campaign);
    return true;
}

static void wait_for_any(const struct batch *batch, struct pollfd *files)
{
    const struct sm_campaign *campaign = batch->campaign;
    for (size_t i = 0; i < campaign->n_workers; i++)
        files[i] = (struct pollfd){.fd = batch->at[i] ? campaign->workers[i].server_fd : -1,
                                   .events = POLLIN};
    files[campaign->n_workers] = (struct pollfd){.fd = sm_interrupt_fd(), .events = POLLIN};
    if (poll(files, campaign->n_workers + 1, SM_TARGET_TICK_MS) < 0)
        for (size_t i = 0; i < campaign->n_workers; i++)
            files[i].revents = 0;
}

static bool look(struct batch *batch, size_t worker, bool readable)
{
    struct sm_ended ended;
    switch (sm_target_look(&batch->campaign->workers[worker], readable, &ended, batch->error)) {
    case SM_LOOK_RUNNING:
        return true;
    case SM_LOOK_OVER:
        return finish(batch, worker, &ended) && feed(batch, worker);
    default:
        batch->at[worker] = NULL;
        batch->busy--;
        return sm_campaign_was_interrupted(batch->campaign, batch->error);
    }
}

static bool serve(struct batch *batch)
{
    size_t n = batch->campaign->n_workers;
    struct pollfd *files = sm_new((n + 1) * sizeof *files);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = feed(batch, i);
    while (ok && batch->busy) {
        wait_for_any(batch, files);
        for (size_t i = 0; ok && i < n; i++)
            if (batch->at[i])
                ok = look(batch, i, files[i].revents);
    }
    free(files);
    return ok;
}

bool sm_campaign_run(struct sm_campaign *campaign, struct sm_trial *trials, size_t n,
                     struct sm_error *error)
{
    struct batch batch = {.campaign = campaign,
                          .trials = trials,
                          .n = n,
                          .at = sm_new(campaign->n_workers * sizeof *batch.at),
                          .error = error};
    bool ok = serve(&batch);
    campaign->cut |= batch.next < n;
    free(batch.at);
    return ok && (!campaign->store || sm_store_flush(campaign->store, error));
}
