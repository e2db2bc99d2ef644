#include "hunt.h"

#include <stdlib.h>

static void free_failure(struct sm_failure *failure)
{
    free(failure->detail);
    sm_place_free(&failure->place);
    sm_stack_free(&failure->stack);
}

static void free_race(struct sm_hunt_race *race)
{
    for (size_t i = 0; i < race->n_accesses; i++) {
        sm_place_free(&race->accesses[i].place);
        sm_stack_free(&race->accesses[i].stack);
    }
    free(race->accesses);
    free(race->id);
    free(race->variable);
    free(race->witness);
    sm_list_free(&race->story);
    free_failure(&race->failure);
}

void sm_hunt_report_free(struct sm_hunt_report *report)
{
    for (size_t i = 0; i < report->n_races; i++)
        free_race(&report->races[i]);
    for (size_t i = 0; i < report->n_failures; i++) {
        free_failure(&report->failures[i].failure);
        free(report->failures[i].witness);
        sm_list_free(&report->failures[i].story);
    }
    free(report->races);
    free(report->failures);
}

size_t sm_hunt_count(const struct sm_hunt_report *report, enum sm_verdict_kind verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_races; i++)
        n += report->races[i].verdict == verdict;
    return n;
}
