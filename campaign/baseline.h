/*
 * baseline.h - the behaviour of the program under sequential consistency.
 *
 * The first execution has the default schedule and no stale values. It gives the expected exit
 * status, unless the user does, and the usual output; then the oracle can be asked. If it fails,
 * the first execution that does not fail takes its place (sm_baseline_adopt).
 *
 * A baseline grows: every execution in which no stale value was returned is one more execution
 * under sc. Everything but sm_baseline_begin is arithmetic over results.
 */
#ifndef SM_CAMPAIGN_BASELINE_H
#define SM_CAMPAIGN_BASELINE_H

#include "campaign/campaign.h"

/* A set, in the order of insertion. */
struct sm_hashes {
    uint64_t *items;
    size_t n;
    uint32_t *slots; /* item number + 1, by hash, once there are many; 0: free */
    size_t n_slots;  /* a power of two */
};
/* True if it was added. */
bool sm_hashes_add(struct sm_hashes *hashes, uint64_t hash);
bool sm_hashes_have(const struct sm_hashes *hashes, uint64_t hash);
void sm_hashes_clear(struct sm_hashes *hashes);

struct sm_baseline {
    bool has_oracle; /* which then judges outputs */
    bool is_known;   /* an execution has ended well; its status is exit_status */
    int exit_status;
    struct sm_buffer usual_output; /* of that execution */
    char *errors;                  /* its last lines on standard error; NULL if exit_status is 0 */
    uint64_t events;               /* most in one execution with every access watched */
    uint64_t points;               /* most scheduling points in one execution */
    double seconds;                /* longest execution */
    struct sm_hashes outputs;      /* of executions under sc */
    /* Signatures of failures under sc. */
    struct sm_hashes order_failures; /* with only synchronisation interleaved */
    struct sm_hashes race_failures;  /* with all accesses interleaved */
};
void sm_baseline_free(struct sm_baseline *baseline);

/* Makes the first execution and, if it does not fail, adopts it. The caller frees trial and
   outcome. */
bool sm_baseline_begin(struct sm_baseline *baseline, struct sm_campaign *campaign,
                       const struct sm_settings *settings, struct sm_trial *first,
                       struct sm_outcome *outcome, struct sm_error *error);
/* From now on executions with another exit status fail, and the oracle is used. */
void sm_baseline_adopt(struct sm_baseline *baseline, struct sm_campaign *campaign,
                       const struct sm_settings *settings, int exit_status);
/* An execution under sc. */
void sm_baseline_note(struct sm_baseline *baseline, const struct sm_result_facts *facts);

/*
 * What is wrong with an execution, compared with the baseline: SM_FAILURE_OUTPUT is an
 * output that no execution under sc has had, if those agree among themselves.
 */
enum sm_failure_kind sm_baseline_judge(const struct sm_baseline *baseline,
                                       const struct sm_result_facts *facts);
/* The same for a trial with stale values of one variable. A failure that also happens under sc,
   with as much interleaved, is not caused by that variable. */
enum sm_failure_kind sm_baseline_blame(const struct sm_baseline *baseline, bool narrow,
                                       const struct sm_result_facts *facts);
/* No failure, and an execution of the program from start to end. */
bool sm_ended_well(const struct sm_result_facts *facts);

#endif
