#include "findings/verify.h"

#include <stdlib.h>
#include <string.h>

#include "findings/parse.h"

void sm_verify_outcome_free(struct sm_verify_outcome *outcome)
{
    free(outcome->output);
    free(outcome->witness);
}

void sm_verify_report_free(struct sm_verify_report *report)
{
    for (size_t i = 0; i < report->n_outcomes; i++)
        sm_verify_outcome_free(&report->outcomes[i]);
    for (size_t i = 0; i < report->n_violations; i++) {
        struct sm_outcome outcome = {.failure = report->violations[i].failure};
        sm_outcome_free(&outcome);
        free(report->violations[i].witness);
    }
    for (size_t i = 0; i < report->n_races; i++)
        sm_data_race_free(&report->races[i]);
    sm_failures_free(&report->warnings);
    free(report->outcomes);
    free(report->violations);
    free(report->races);
    *report = (struct sm_verify_report){0};
}

static void parse_outcomes(const json_t *json, struct sm_verify_report *report)
{
    size_t i;
    const json_t *outcome;
    report->outcomes = sm_new((json_array_size(json) + 1) * sizeof *report->outcomes);
    json_array_foreach(json, i, outcome)
    {
        const char *output = sm_parse_string(outcome, "output");
        const char *witness = sm_parse_string(outcome, "witness");
        report->outcomes[report->n_outcomes++] = (struct sm_verify_outcome){
            .output = sm_copy_text(output ? output : ""),
            .count = sm_parse_number(outcome, "count"),
            .forbidden = json_is_false(json_object_get(outcome, "allowed")),
            .witness = witness ? sm_copy_text(witness) : NULL};
    }
}

static void parse_violations(const json_t *json, struct sm_verify_report *report)
{
    size_t i;
    const json_t *violation;
    report->violations = sm_new((json_array_size(json) + 1) * sizeof *report->violations);
    json_array_foreach(json, i, violation) report->violations[report->n_violations++] =
        (struct sm_verify_violation){.failure = sm_parse_failure(violation),
                                     .witness =
                                         sm_copy_text(sm_parse_string(violation, "witness"))};
}

void sm_verify_stand_for(struct sm_verify_report *report, uint64_t more)
{
    bool fits = more < SM_MOST_STOOD_FOR - report->stands_for;
    report->stands_for = fits ? report->stands_for + more : SM_MOST_STOOD_FOR;
}

bool sm_verify_json_parse(const char *text, struct sm_verify_report *report)
{
    json_t *json = json_loads(text, 0, NULL);
    const char *command = sm_parse_string(json, "command");
    bool ok = command && strcmp(command, "verify") == 0;
    *report = (struct sm_verify_report){0};
    if (ok) {
        report->complete = json_is_true(json_object_get(json, "complete"));
        report->executions = sm_parse_number(json, "executions");
        report->blocked = sm_parse_number(json, "blocked");
        report->stands_for = sm_parse_number(json, "stands_for");
        parse_outcomes(json_object_get(json, "outcomes"), report);
        parse_violations(json_object_get(json, "violations"), report);
    }
    json_decref(json);
    return ok;
}
