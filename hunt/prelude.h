/*
 * prelude.h - what a hunt does before it lies to find out whether a race matters.
 *
 * Executions without lies show which races there are, what is usual, and which failures are no
 * lie's fault. Then a few in which all racy variables are lied about at once show the races that
 * come only where a lie has led.
 */
#ifndef SM_HUNT_PRELUDE_H
#define SM_HUNT_PRELUDE_H

#include "findings/suppress.h"
#include "hunt/hunt.h"
#include "hunt/races.h"
#include "hunt/shrink.h"

struct sm_prelude {
    struct sm_hunt *hunt; /* its baseline, racy and sampled are filled in */
    struct sm_suppressions *suppressions;
    struct sm_races races;
    struct sm_variables variables;
    size_t suppressed;     /* variables left out */
    struct sm_case *loose; /* failures without a lie, one for each signature */
    size_t n_loose;
};

bool sm_prelude_run(struct sm_prelude *prelude, struct sm_error *error);
void sm_prelude_free(struct sm_prelude *prelude);

#endif
