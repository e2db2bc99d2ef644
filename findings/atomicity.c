#include "findings/atomicity.h"

#include <stdlib.h>

static const struct {
    const char *events, *words;
} patterns[] = {
#define SM_PATTERN(number, events, words) [number] = {events, words},
#include "abi/patterns.def"
};

const char *sm_pattern_words(unsigned pattern)
{
    return patterns[pattern].words;
}

const char *sm_pattern_events(unsigned pattern)
{
    return patterns[pattern].events;
}

size_t sm_atomicity_harmful(const struct sm_atomicity_report *report)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_violations; i++)
        n += report->violations[i].failure.kind != SM_FAILURE_NONE;
    return n;
}

static void free_violation(struct sm_atomicity_violation *violation)
{
    struct sm_outcome outcome = {.failure = violation->failure};
    for (size_t i = 0; i < violation->n_events; i++) {
        sm_place_free(&violation->events[i].access.place);
        sm_stack_free(&violation->events[i].access.stack);
        free(violation->events[i].variable);
    }
    sm_outcome_free(&outcome);
    free(violation->set);
    free(violation->unit);
    free(violation->other);
    free(violation->fields);
    free(violation->witness);
    free(violation->advice);
}

void sm_atomicity_report_free(struct sm_atomicity_report *report)
{
    for (size_t i = 0; i < report->n_violations; i++)
        free_violation(&report->violations[i]);
    sm_failures_free(&report->failures);
    sm_failures_free(&report->warnings);
    free(report->violations);
    *report = (struct sm_atomicity_report){0};
}
