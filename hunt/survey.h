/*
 * survey.h - what a hunt does before it investigates racy variables.
 *
 * Executions under sc show which races there are, the usual outputs, and which failures need no
 * stale value. Then a few with stale values of all racy variables at once show the races that only
 * such a value leads to. The last part, in which only synchronisation is interleaved, shows the
 * failures that no race causes. It comes after the explorations of exact.h, which do not need it,
 * and which find the first witness of a small program. After the investigations executions under sc
 * may go on: search.h.
 */
#ifndef SM_HUNT_SURVEY_H
#define SM_HUNT_SURVEY_H

#include "campaign/plan.h"
#include "findings/suppress.h"
#include "hunt/covered.h"
#include "hunt/hunt.h"
#include "hunt/races.h"
#include "hunt/shrink.h"

struct sm_survey {
    struct sm_hunt *hunt; /* its baseline, racy and sampled are filled in */
    struct sm_suppressions *suppressions;
    struct sm_races races;
    struct sm_variables variables, late; /* late: those that only the search has shown */
    size_t suppressed;                   /* variables left out */
    struct sm_survey_failure {
        struct sm_case failing;
        uint64_t count;
    } *failures; /* under sc, one for each signature */
    size_t n_failures;
    bool hangs_end; /* what looked like a hang ended after more steps */
    bool finished;
    /* Of all executions under sc, but for the first. A race or a failure that is new counts as
       something covered. */
    struct sm_covered covered;
    size_t made;
    uint64_t cost;          /* in events; the start of an execution takes as long as some, too */
    double seconds;         /* that they took */
    double quickest;        /* of those that did not fail; 0: none */
    double quickest_failed; /* of the others */
    bool out_of_time;       /* before there were enough of them */
    uint64_t narrow_points; /* most scheduling points with only synchronisation interleaved */
};

/* All of it, except the last part if exact.h has something to explore. */
bool sm_survey_run(struct sm_survey *survey, struct sm_error *error);
bool sm_survey_finish(struct sm_survey *survey, struct sm_error *error);
/* Executions under sc. Wide: every access is watched, and races are looked for. Narrow: only
   synchronisation is interleaved. */
struct sm_plan sm_survey_plan(const struct sm_survey *survey, bool wide);
/* Makes n executions of it, from number `first` on, and takes note of what they show. */
bool sm_survey_go_on(struct sm_survey *survey, const struct sm_plan *plan, uint64_t first, size_t n,
                     struct sm_error *error);
/* Variables of races that came after those of `variables` were investigated. */
void sm_survey_find_late(struct sm_survey *survey);
void sm_survey_free(struct sm_survey *survey);

#endif
