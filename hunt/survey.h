/*
 * survey.h - what a hunt does before it investigates racy variables.
 *
 * Executions under sc show which races there are, the usual outputs, and which failures need no
 * stale value. Then a few with stale values of all racy variables at once show the races that only
 * such a value leads to. The last part, in which only synchronisation is interleaved, shows the
 * failures that no race causes. It comes after the explorations of exact.h, which do not need it,
 * and which find the first witness of a small program.
 */
#ifndef SM_HUNT_SURVEY_H
#define SM_HUNT_SURVEY_H

#include "findings/suppress.h"
#include "hunt/hunt.h"
#include "hunt/races.h"
#include "hunt/shrink.h"

struct sm_survey {
    struct sm_hunt *hunt; /* its baseline, racy and sampled are filled in */
    struct sm_suppressions *suppressions;
    struct sm_races races;
    struct sm_variables variables;
    size_t suppressed; /* variables left out */
    struct sm_survey_failure {
        struct sm_case failing;
        uint64_t count;
    } *failures; /* under sc, one for each signature */
    size_t n_failures;
    bool hangs_end; /* what looked like a hang ended after more steps */
    bool finished;
};

/* All of it, except the last part if exact.h has something to explore. */
bool sm_survey_run(struct sm_survey *survey, struct sm_error *error);
bool sm_survey_finish(struct sm_survey *survey, struct sm_error *error);
void sm_survey_free(struct sm_survey *survey);

#endif
