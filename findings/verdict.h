/*
 * verdict.h - what the executions of a campaign say about a race.
 *
 * Everything here is arithmetic over results: nothing is executed. A baseline is what is
 * known of the program while nobody lies to it; it grows, for every execution in which no
 * stale value was served is one more execution without a lie.
 */
#ifndef SM_FINDINGS_VERDICT_H
#define SM_FINDINGS_VERDICT_H

#include "campaign/campaign.h"

struct sm_hashes {
    uint64_t *items;
    size_t n;
};
/* True if it was not there before. */
bool sm_hashes_add(struct sm_hashes *hashes, uint64_t hash);
bool sm_hashes_have(const struct sm_hashes *hashes, uint64_t hash);

struct sm_baseline {
    bool has_oracle; /* which then judges outputs, not we */
    int exit_status;
    uint64_t events;          /* most in one execution with every access watched */
    uint64_t points;          /* most scheduling points in one execution */
    double seconds;           /* longest execution */
    struct sm_hashes outputs; /* of executions without a lie */
    /* Signatures of failures without a lie. */
    struct sm_hashes order_failures; /* with only synchronisation interleaved */
    struct sm_hashes race_failures;  /* with all accesses interleaved */
};
void sm_baseline_free(struct sm_baseline *baseline);
/* An execution in which no lie was told. */
void sm_baseline_note(struct sm_baseline *baseline, const struct sm_result_facts *facts);

/*
 * What is wrong with an execution, in the light of the baseline: SM_FAILURE_OUTPUT is an
 * output that no execution without a lie has had, if those agree among themselves.
 */
enum sm_failure_kind sm_baseline_judge(const struct sm_baseline *baseline,
                                       const struct sm_result_facts *facts);
/* The same of a trial that lies about one variable, but a failure that comes as well when
   nobody lies and as much is interleaved is not that variable's. */
enum sm_failure_kind sm_baseline_blame(const struct sm_baseline *baseline, bool narrow,
                                       const struct sm_result_facts *facts);

enum sm_verdict_kind {
#define SM_VERDICT(name, word, meaning, advice) SM_VERDICT_##name,
#include "findings/verdicts.def"
    SM_VERDICTS
};
extern const char *const sm_verdict_words[], *const sm_verdict_meanings[],
                                                 *const sm_verdict_advice[];

/* What the investigation of a variable has found out about failures of its trials. */
struct sm_findings {
    bool witnessed;     /* one was reproduced and found to be this variable's */
    uint64_t signature; /* of that one: others like it are this variable's, too */
    bool circular;      /* one was left out, because it needs a value out of thin air */
    bool slow;          /* what looked like a hang came to an end */
};

#define SM_TALLY_STEPS 20

/* Sums over the trials of one variable. */
struct sm_tally {
    uint64_t trials, failures;
    struct sm_rate {
        uint64_t trials, failures;
    } by_heuristic[SM_HEURISTICS];
    struct sm_rate course[SM_TALLY_STEPS]; /* the sums on the way: after each twentieth, so that
                                              one can see whether the rate has settled */
    uint64_t stale_reads, read_choices;
    uint64_t future_reads; /* in executions in which each was then stored */
    uint64_t unvalidated;  /* executions in which one was not: counted nowhere else */
    /* Medians over trials that ended well: any one schedule can be slow. */
    uint64_t honest_events; /* with the heuristic that does not lie */
    uint64_t lying_events;  /* with the slowest of the others */
};
void sm_tally_count(struct sm_tally *tally, const struct sm_baseline *baseline,
                    const struct sm_findings *findings, const struct sm_trial *trials, size_t n);
/* Adds trials with values from the future; rates by heuristic are those of stale values. */
void sm_tally_add(struct sm_tally *tally, const struct sm_baseline *baseline,
                  const struct sm_findings *findings, const struct sm_trial *trials, size_t n);
enum sm_verdict_kind sm_tally_verdict(const struct sm_tally *tally,
                                      const struct sm_findings *findings);
/* The trial failed, and the variable is to blame. */
bool sm_trial_failed(const struct sm_trial *trial, const struct sm_baseline *baseline,
                     const struct sm_findings *findings);

#endif
