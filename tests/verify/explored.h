/* explored.h - runs verify on a test, for the programs that compare it with something else. */
#ifndef VERIFY_EXPLORED_H
#define VERIFY_EXPLORED_H

#include "../../campaign/team.h"

/* Every execution of a test: program.c and its arguments. True: all were explored; results are in
   the target's control block and trace. False: it said why. The target is to be closed if it was
   opened (`*opened`). */
bool explore_litmus(struct sm_target *target, bool *opened, char **arguments, uint64_t model,
                    bool prescient);

/* The same; true also if something was cut. */
bool explore_some(struct sm_target *target, bool *opened, char **arguments, uint64_t model,
                  bool prescient);

/* What verify finds in a program, by so many processes, the first of which hands over half of what
   it has after its first execution. */
struct explored {
    uint64_t executions, blocked, stands_for;
    uint64_t violations; /* that were shown */
    uint64_t outcomes;   /* a hash of their set, and one of their counts */
    uint64_t counts;
    unsigned parts;
};
/* Sums of these do not depend on the order. */
uint64_t mix_outcome(uint64_t hash);
struct sm_options explore_options(uint64_t model);
/* True: everything was explored, within the bound of option preemptions. */
bool explore_program(struct explored *explored, char **arguments, const struct sm_options *options,
                     size_t jobs);
/* The same by a worker with a directory of parcels, which must not be there, and is removed. It
   commits after its first execution and puts half of what is left aside; `parts`: results. */
bool explore_parcels(struct explored *explored, char **arguments, const struct sm_options *options,
                     const char *directory);

#endif
