#include "findings/hunt.h"

#include <stdlib.h>
#include <string.h>

static void free_failure(struct sm_failure *failure)
{
    free(failure->detail);
    sm_place_free(&failure->place);
    sm_stack_free(&failure->stack);
}

static void free_race(struct sm_hunt_race *race)
{
    for (size_t i = 0; i < race->n_accesses; i++)
        sm_access_free(&race->accesses[i]);
    free(race->accesses);
    free(race->id);
    free(race->variable);
    free(race->witness);
    sm_list_free(&race->story);
    free_failure(&race->failure);
}

static void free_loose(struct sm_hunt_failure *failure)
{
    free_failure(&failure->failure);
    free(failure->witness);
    sm_list_free(&failure->story);
}

void sm_hunt_remove_race(struct sm_hunt_report *report, size_t i)
{
    free_race(&report->races[i]);
    report->n_races--;
    memmove(&report->races[i], &report->races[i + 1],
            (report->n_races - i) * sizeof *report->races);
}

void sm_hunt_remove_failure(struct sm_hunt_report *report, size_t i)
{
    free_loose(&report->failures[i]);
    report->n_failures--;
    memmove(&report->failures[i], &report->failures[i + 1],
            (report->n_failures - i) * sizeof *report->failures);
}

void sm_hunt_report_free(struct sm_hunt_report *report)
{
    for (size_t i = 0; i < report->n_races; i++)
        free_race(&report->races[i]);
    for (size_t i = 0; i < report->n_failures; i++)
        free_loose(&report->failures[i]);
    free(report->races);
    free(report->failures);
    free(report->proof);
    free(report->baseline_errors);
}

size_t sm_hunt_count(const struct sm_hunt_report *report, enum sm_verdict_kind verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_races; i++)
        n += report->races[i].verdict == verdict;
    return n;
}
