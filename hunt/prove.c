#include "hunt/prove.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/words.h"
#include "checker/check.h"
#include "findings/story.h"
#include "hunt/certify.h"
#include "hunt/newest.h"
#include "target/record.h"

void sm_proof_free(struct sm_proof *proof)
{
    sm_failure_free(&proof->failure);
    free(proof->witness);
    sm_list_free(&proof->story);
    free(proof->liars.sites);
    *proof = (struct sm_proof){0};
}

/* ---- what is wrong with an output ---- */

static void add_line(struct sm_buffer *to, const char *line)
{
    size_t length = strcspn(line, "\n");
    if (!*line)
        sm_buffer_text(to, "nothing");
    else
        sm_buffer_print(to, "'%.*s'%s", length > 60 ? 60 : (int)length, line,
                        length > 60 ? "..." : "");
}

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + strlen(text);
}

char *sm_output_difference(const char *usual, const char *now)
{
    unsigned number = 1;
    struct sm_buffer detail = {0};
    while (*usual && *now && strcspn(usual, "\n") == strcspn(now, "\n") &&
           strncmp(usual, now, strcspn(now, "\n")) == 0) {
        usual = next_line(usual);
        now = next_line(now);
        number++;
    }
    sm_buffer_print(&detail, "line %u of the output is ", number);
    add_line(&detail, now);
    sm_buffer_text(&detail, " where executions without stale values have ");
    add_line(&detail, usual);
    sm_printable(detail.data);
    return detail.data;
}

static void judge_output(struct sm_hunt *hunt, struct sm_outcome *outcome)
{
    struct sm_buffer output = {0};
    sm_capture_read(&hunt->campaign.workers[0].output, &output);
    outcome->failure.kind = SM_FAILURE_OUTPUT;
    outcome->failure.detail = sm_output_difference(
        hunt->baseline.usual_output.data ? hunt->baseline.usual_output.data : "",
        output.data ? output.data : "");
    sm_buffer_free(&output);
}

/* ---- the file ---- */

static bool make_directory(const char *path, struct sm_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           sm_fail(error, SM_STATUS_USAGE,
                   "cannot make the directory %s: %s; another can be given with --out DIR", path,
                   strerror(errno));
}

/* Another hunt has written the same execution there. */
static bool holds(const char *path, const struct sm_witness *witness)
{
    struct sm_witness old;
    char why[SM_WHY_SIZE];
    if (!sm_witness_read(path, &old, why))
        return false;
    bool same = strcmp(old.build_id, witness->build_id) == 0 &&
                strcmp(old.repairs, witness->repairs) == 0 &&
                old.trace_hash == witness->trace_hash &&
                old.options.model == witness->options.model;
    sm_witness_free(&old);
    return same;
}

/* Point.x-1.smw: letters, digits, '.', '_' and '-' of the name, and the first number that is
   free, or taken by this very execution. */
static char *file_for(const struct sm_witness *witness, const char *directory, const char *name)
{
    char *clean = sm_copy_text(name), *path = NULL;
    for (char *c = clean; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '_' && *c != '-')
            *c = '_';
    if (strlen(clean) > 100)
        clean[100] = 0;
    if (*clean == '.')
        *clean = '_';
    for (unsigned i = 1; !path || (access(path, F_OK) == 0 && !holds(path, witness)); i++) {
        free(path);
        path = sm_print("%s/%s-%u.smw", directory, clean, i);
    }
    free(clean);
    return path;
}

static bool write_witness(struct sm_proof *proof, struct sm_hunt *hunt,
                          const struct sm_witness *witness, const char *name,
                          struct sm_error *error)
{
    char why[SM_WHY_SIZE];
    if (!make_directory(hunt->witnesses, error))
        return false;
    proof->witness = file_for(witness, hunt->witnesses, name);
    return sm_witness_write(proof->witness, witness, why) ||
           sm_fail(error, SM_STATUS_USAGE,
                   "cannot write the witness %s: %s; another directory can be given with --out DIR",
                   proof->witness, why);
}

/* ---- the check ---- */

static void write_place(void *context, uint32_t site, char *to, size_t size)
{
    const struct sm_sites *sites = context;
    const struct sm_site_row *row = sm_sites_find(sites, site);
    if (row)
        snprintf(to, size, "%s:%u", row->file, row->line);
    else
        snprintf(to, size, "?");
}

static bool check(struct sm_hunt *hunt, const struct sm_witness *witness, bool certified,
                  struct sm_verdict *verdict)
{
    struct sm_check_options options = sm_check_options_of(witness);
    options.place = write_place;
    options.context = &hunt->campaign.sites;
    options.certified &= certified;
    return sm_check_records(witness->records, witness->n_records, &options, verdict);
}

static bool is_illegal(const struct sm_proof *proof, const struct sm_witness *witness,
                       const struct sm_verdict *verdict, struct sm_error *error)
{
    return sm_fail(error, SM_STATUS_INTERNAL,
                   "internal error: an execution was made that the model %s does not allow (%s: "
                   "%s); please report it with the file %s",
                   sm_model_words[witness->options.model], verdict->axiom, verdict->why,
                   proof->witness);
}

/* ---- all together ---- */

static void note_liars(struct sm_proof *proof, const struct sm_witness *witness)
{
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].flags & (SM_RECORD_STALE | SM_RECORD_FUTURE | SM_RECORD_DELAYED))
            sm_watchlist_add(&proof->liars, witness->records[i].site);
}

/* False if the failure is a different one. */
static bool is_wanted(const struct sm_hunt *hunt, const struct sm_witness *witness)
{
    return !witness->circular || hunt->settings->options.model >= SM_MODEL_OOTA;
}

/* If no path leads from the read back to the store, the store can come first, and the read sees the
   past. A path may go through accesses that are not watched. */
static bool find_model(struct sm_hunt *hunt, const struct sm_case *failing,
                       struct sm_witness *witness, const struct sm_verdict *verdict,
                       struct sm_error *error)
{
    bool certified = true, path = verdict->may_be_circular || witness->watch_mode != SM_WATCH_ALL;
    if (witness->options.model < SM_MODEL_HB)
        return true;
    if (path && !sm_certify_case(hunt, failing, witness, &certified, error))
        return false;
    witness->circular = !certified;
    witness->options.model = certified ? SM_MODEL_HB : SM_MODEL_OOTA;
    return true;
}

bool sm_proof_write(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_witness *witness,
                    const char *name, struct sm_error *error)
{
    struct sm_verdict verdict;
    proof->model = (enum sm_model_id)witness->options.model;
    note_liars(proof, witness);
    if (!check(hunt, witness, false, &verdict))
        return write_witness(proof, hunt, witness, name, error) &&
               is_illegal(proof, witness, &verdict, error);
    sm_story_tell(witness, name, &proof->story);
    return write_witness(proof, hunt, witness, name, error);
}

static bool judge(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_case *failing,
                  struct sm_witness *witness, const char *name, struct sm_error *error)
{
    struct sm_verdict verdict;
    bool legal = check(hunt, witness, false, &verdict);
    if (legal && !find_model(hunt, failing, witness, &verdict, error))
        return false;
    if (!legal || !check(hunt, witness, true, &verdict))
        return write_witness(proof, hunt, witness, name, error) &&
               is_illegal(proof, witness, &verdict, error);
    proof->model = (enum sm_model_id)witness->options.model;
    if (!is_wanted(hunt, witness))
        return true;
    sm_story_tell(witness, name, &proof->story);
    return write_witness(proof, hunt, witness, name, error);
}

static bool write_down(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_case *failing,
                       struct sm_outcome *outcome, const char *name, bool *proved,
                       struct sm_error *error)
{
    struct sm_witness witness;
    const struct sm_target *target = &hunt->campaign.workers[0];
    if (failing->kind == SM_FAILURE_OUTPUT)
        judge_output(hunt, outcome);
    else
        sm_outcome_locate(outcome, target, &hunt->campaign.sites);
    sm_record_execution(&witness, target, outcome, &hunt->campaign.sites);
    witness.options.schedule = failing->options.schedule;
    note_liars(proof, &witness);
    bool ok = judge(proof, hunt, failing, &witness, name, error);
    outcome->failure.circular = witness.circular;
    *proved = is_wanted(hunt, &witness);
    sm_witness_free(&witness);
    return ok;
}

bool sm_prove(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_case *failing,
              const char *name, bool *proved, struct sm_error *error)
{
    struct sm_outcome outcome;
    struct sm_trial trial = sm_case_trial(failing, false);
    trial.options.record = 1;
    *proof = (struct sm_proof){0};
    if (!sm_campaign_one(&hunt->campaign, &trial, &outcome, error))
        return false;
    *proved = trial.done && sm_case_same(failing, &hunt->baseline, &trial.result.facts);
    sm_result_free(&trial.result);
    if (*proved && !write_down(proof, hunt, failing, &outcome, name, proved, error)) {
        sm_outcome_free(&outcome);
        return false;
    }
    proof->failure = outcome.failure; /* with all it owns */
    return !proof->witness || sm_newest_record(hunt, failing, proof->witness, error);
}
