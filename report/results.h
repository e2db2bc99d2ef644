/*
 * results.h - what a store holds, and the printers of `stalemate report`.
 *
 * A command leaves its result in the store as the JSON of docs/usage.md. Here it is read back: a
 * hunt's also as the struct for the printers of a hunt, so that a report says the same as the hunt;
 * the others' as a list of findings. Witnesses and sources are looked up when the report is made,
 * and left out if they are gone: a report of an old store has less in it, but is still correct.
 */
#ifndef SM_REPORT_RESULTS_H
#define SM_REPORT_RESULTS_H

#include "campaign/store.h"
#include "findings/findings.h"
#include "findings/hunt.h"
#include "witness/witness.h"

struct sm_results_hunt {
    char *target, *finished; /* as in struct sm_store_result */
    json_t *json;
    struct sm_hunt_report report; /* its `target` is NULL */
};

/* Of `detect`, `verify` and `atomicity`. */
struct sm_results_other {
    char *target, *finished;
    json_t *json;
    struct sm_findings_list findings;
};

struct sm_results {
    const char *directory; /* of the store */
    struct sm_results_hunt *hunts;
    size_t n_hunts;
    struct sm_results_other *others;
    size_t n_others;
};

/* False when the directory has no store, or none that can be read. */
bool sm_results_open(struct sm_results *results, const char *directory, struct sm_error *error);
void sm_results_close(struct sm_results *results);

/* A witness is next to its store, even if that was moved. False if it is NULL or gone, or (with a
   message) damaged or illegal. Then there is nothing to free. */
bool sm_results_witness(const struct sm_results *results, const char *path,
                        struct sm_witness *witness);

/* Each writes to a file, or to standard output if path is "-". */
typedef bool sm_results_printer(const struct sm_results *results, const char *path,
                                struct sm_error *error);
sm_results_printer sm_report_results_json, sm_report_results_html, sm_report_results_sarif,
    sm_report_results_junit, sm_report_results_trace, sm_report_results_dot,
    sm_report_results_annotations, sm_report_results_badge;
void sm_report_results_text(const struct sm_results *results, bool color, FILE *to);

#endif
