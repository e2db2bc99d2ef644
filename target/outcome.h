/*
 * outcome.h - how an execution ended, and whether that is a failure.
 *
 * Three steps, so that a campaign pays only for what it needs: sm_outcome_take copies the control
 * block and the wait status, sm_outcome_judge decides, and sm_outcome_locate finds places in the
 * source (slow: reads debug information).
 */
#ifndef SM_TARGET_OUTCOME_H
#define SM_TARGET_OUTCOME_H

#include "base/status.h"
#include "target/target.h"
#include "witness/place.h"

struct sm_symbols;

/* For a harm that the runtime noticed: where the block was allocated, the lock taken. */
struct sm_related {
    const char *role; /* of abi/roles.def */
    uint32_t thread;
    struct sm_place place;
    struct sm_stack stack;
};

struct sm_failure {
    enum sm_failure_kind kind;
    char *detail;
    struct sm_place place;
    struct sm_stack stack;
    uint32_t thread;
    struct sm_related *related;
    uint32_t n_related;
    bool circular; /* by a future value that depends on itself: see hunt/certify.h */
};

struct sm_failures {
    struct sm_failure *items;
    size_t n;
};

struct sm_outcome {
    bool exited; /* with exit_status; otherwise it was killed, by itself or by us */
    int exit_status;
    bool assumed;     /* stopped by stalemate_assume: not an execution of the program */
    bool unvalidated; /* a future value was never stored: not an execution either */
    struct sm_failure failure;
    struct sm_failure *warnings; /* reported, but no failure of the execution; by
                                    sm_outcome_locate */
    uint32_t n_warnings;
    uint32_t end; /* enum sm_end, as set by the runtime */
    int32_t status;
    uint64_t events, choices_made, trace_hash, records_lost;
    uint32_t n_threads;
    double seconds;
};

struct sm_expectation {
    int exit_status;
    const char *oracle; /* shell command, or NULL */
};

/*
 * Takes and judges. False when there is no outcome: the program never came under control, exceeded
 * a limit, was interrupted, or the runtime failed (status 70).
 */
bool sm_outcome_judge(struct sm_outcome *outcome, const struct sm_target *target,
                      const struct sm_ended *ended, const struct sm_expectation *expectation,
                      struct sm_error *error);
/* Place and stack of the failure, if there is one, and of each warning. */
void sm_outcome_locate(struct sm_outcome *outcome, const struct sm_target *target,
                       const struct sm_sites *sites);
void sm_outcome_free(struct sm_outcome *outcome);
struct sm_failure sm_failure_copy(const struct sm_failure *failure);
void sm_failure_free(struct sm_failure *failure);
/* The warning as a failure, with its places in the source. */
struct sm_failure sm_failure_of_harm(const struct sm_harm *harm, struct sm_symbols *symbols,
                                     const struct sm_sites *sites);

/* The same for n of them. */
struct sm_failures sm_failures_of_harms(const struct sm_harm *harms, uint32_t n,
                                        struct sm_symbols *symbols, const struct sm_sites *sites);
void sm_failures_free(struct sm_failures *failures);

#endif
