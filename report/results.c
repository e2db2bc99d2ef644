#include "report/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "checker/check.h"
#include "findings/json.h"

/* ---- out of the store ---- */

struct reading {
    struct sm_results *results;
    struct sm_error *error;
    bool ok;
};

static bool take_hunt(struct sm_results *results, const struct sm_store_result *stored,
                      json_t *json)
{
    struct sm_hunt_report report = {0};
    if (!sm_hunt_json_parse(json, &report))
        return false;
    results->hunts = sm_resize(results->hunts, (results->n_hunts + 1) * sizeof *results->hunts);
    results->hunts[results->n_hunts++] =
        (struct sm_results_hunt){.target = sm_copy_text(stored->target),
                                 .finished = sm_copy_text(stored->finished),
                                 .json = json,
                                 .report = report};
    return true;
}

static bool take_other(struct sm_results *results, const struct sm_store_result *stored,
                       json_t *json)
{
    struct sm_findings_list findings;
    if (!sm_findings_parse(json, &findings))
        return false;
    results->others = sm_resize(results->others, (results->n_others + 1) * sizeof *results->others);
    results->others[results->n_others++] =
        (struct sm_results_other){.target = sm_copy_text(stored->target),
                                  .finished = sm_copy_text(stored->finished),
                                  .json = json,
                                  .findings = findings};
    return true;
}

static bool take(const struct sm_store_result *stored, void *context)
{
    struct reading *reading = context;
    struct sm_results *results = reading->results;
    json_t *json = json_loads(stored->json, 0, NULL);
    if (take_hunt(results, stored, json) || take_other(results, stored, json))
        return true;
    json_decref(json);
    reading->ok = sm_fail(reading->error, SM_STATUS_USAGE,
                          "%s/stalemate.db: the result for %s cannot be read; delete the "
                          "directory and make it again",
                          results->directory, stored->target);
    return false;
}

/* Opening a store would create it if it is missing, which a report should not do. */
static bool is_there(const char *directory, struct sm_error *error)
{
    char *path = sm_print("%s/stalemate.db", directory);
    bool there = access(path, R_OK) == 0;
    free(path);
    return there || sm_fail(error, SM_STATUS_USAGE,
                            "no results in %s: %s; make some with: stalemate hunt --out %s -- "
                            "PROGRAM ARGS...",
                            directory, strerror(errno), directory);
}

bool sm_results_open(struct sm_results *results, const char *directory, struct sm_error *error)
{
    struct reading reading = {results, error, true};
    *results = (struct sm_results){.directory = directory};
    struct sm_store *store = is_there(directory, error) ? sm_store_open(directory, error) : NULL;
    bool ok = store && sm_store_each(store, take, &reading, error) && reading.ok;
    sm_store_close(store);
    if (ok && !results->n_hunts && !results->n_others)
        ok = sm_fail(error, SM_STATUS_USAGE,
                     "no hunt of %s has finished; start it again: it continues where it stopped",
                     directory);
    return ok;
}

void sm_results_close(struct sm_results *results)
{
    for (size_t i = 0; i < results->n_hunts; i++) {
        struct sm_results_hunt *hunt = &results->hunts[i];
        free(hunt->target);
        free(hunt->finished);
        json_decref(hunt->json);
        sm_hunt_report_free(&hunt->report);
    }
    free(results->hunts);
    for (size_t i = 0; i < results->n_others; i++) {
        struct sm_results_other *other = &results->others[i];
        free(other->target);
        free(other->finished);
        json_decref(other->json);
        sm_findings_free(&other->findings);
    }
    free(results->others);
}

/* A picture of an illegal execution would be misleading. For a trace that was cut, legality is
   unknown. */
static bool is_legal(const struct sm_witness *witness, char *why)
{
    struct sm_check_options options = sm_check_options_of(witness);
    struct sm_verdict verdict;
    if (witness->records_lost ||
        sm_check_records(witness->records, witness->n_records, &options, &verdict))
        return true;
    snprintf(why, SM_WHY_SIZE, "illegal in %s (%s)", sm_model_words[witness->options.model],
             verdict.axiom);
    return false;
}

/* False with a message, unless there is no such file. */
static bool read_witness(const char *file, struct sm_witness *witness)
{
    char why[SM_WHY_SIZE] = "";
    if (access(file, F_OK) != 0)
        return false;
    bool read = sm_witness_read(file, witness, why);
    if (read && sm_witness_is_whole(witness, why) && is_legal(witness, why))
        return true;
    fprintf(stderr, "stalemate: report: the witness %s is not drawn: %s\n", file, why);
    if (read)
        sm_witness_free(witness);
    return false;
}

/* Hunts have a directory for them; the hunt of a fix has its own; verify puts them next to the
   store. */
bool sm_results_witness(const struct sm_results *results, const char *path,
                        struct sm_witness *witness)
{
    static const char *const places[] = {"witnesses/", "fix/witnesses/", ""};
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    bool ok = false;
    for (size_t i = 0; path && !ok && i < sizeof places / sizeof places[0]; i++) {
        char *file = sm_print("%s/%s%s", results->directory, places[i], name);
        ok = read_witness(file, witness);
        free(file);
    }
    return ok;
}

/* ---- printers ---- */

void sm_report_results_text(const struct sm_results *results, bool color, FILE *to)
{
    for (size_t i = 0; i < results->n_hunts; i++) {
        fprintf(to, "%s%s (%s UTC)\n", i ? "\n" : "", results->hunts[i].target,
                results->hunts[i].finished);
        sm_report_hunt_text(&results->hunts[i].report, false, color, to);
    }
    for (size_t i = 0; i < results->n_others; i++) {
        fprintf(to, "%s%s (%s UTC)\n", i || results->n_hunts ? "\n" : "", results->others[i].target,
                results->others[i].finished);
        sm_findings_text(&results->others[i].findings, color, to);
    }
}

bool sm_report_results_json(const struct sm_results *results, const char *path,
                            struct sm_error *error)
{
    json_t *hunts = json_array(), *others = json_array();
    for (size_t i = 0; i < results->n_hunts; i++)
        json_array_append(hunts, results->hunts[i].json);
    for (size_t i = 0; i < results->n_others; i++)
        json_array_append(others, results->others[i].json);
    json_t *json = json_pack("{s:s, s:s, s:s, s:o, s:o}", "tool", "stalemate", "version",
                             SM_VERSION, "command", "report", "hunts", hunts, "others", others);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
