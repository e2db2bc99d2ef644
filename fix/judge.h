/*
 * judge.h - is the program correct with a repair?
 *
 * Nothing is rebuilt: the program runs with --assume-fix. First `verify` explores every execution.
 * If it is complete, its answer is exact. If not (the program is too large, or does what verify
 * refuses), the witnesses of the findings are run again with their schedules and their lies, and a
 * hunt with the effort of the settings searches for anything else.
 *
 * A failure of any kind counts, not only the one to be repaired: a repair that causes a deadlock is
 * rejected. So is one that leaves a race, unless the race was there before and was not to be
 * repaired (`accepted`).
 */
#ifndef SM_FIX_JUDGE_H
#define SM_FIX_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/repair.h"
#include "base/options.h"
#include "target/outcome.h"

enum sm_judged {
    SM_JUDGED_CLEAN,   /* nothing fails */
    SM_JUDGED_FAILS,   /* `detail` and `witness` say what */
    SM_JUDGED_NOWHERE, /* a repair matches no access of the program: `detail` has the lines */
    SM_JUDGED_NOT,     /* no execution could be made: `detail` says why */
};

/* What is the same for all candidates. */
struct sm_judge {
    const struct sm_settings *settings; /* of fix; its operands are the program and its arguments */
    const char *directory;              /* exists; files of each judgement are kept there */
    struct sm_list witnesses;           /* paths: of the findings, run again if verify does not
                                           decide */
    struct sm_list accepted;            /* variables whose races are not to be repaired */
    unsigned made;                      /* judgements so far; used in file names */
    double deadline;                    /* of sm_now(); 0: none */
};
/* With a limit for the whole command, a hunt may take this part of it. */
#define SM_HUNT_SHARE 0.125

struct sm_judgement {
    enum sm_judged verdict;
    bool exact;                /* every execution was explored */
    const char *by;            /* "verify" or "hunt" */
    char *detail;              /* what fails, as one sentence; NULL if nothing does */
    char *witness;             /* path, or NULL */
    struct sm_failure failure; /* of verify, with its place; kind NONE: a race, or not by verify */
    enum sm_model_id model;    /* in which that happens */
    uint64_t executed; /* bits: by verify; of repairs of orders, those whose place was executed */
    char *assumption;  /* path of the file given to --assume-fix */
};

/* False: an internal error, or Ctrl-C. */
bool sm_judge_repairs(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                      struct sm_judgement *judgement, struct sm_error *error);
/* The same by verify only: SM_JUDGED_NOT if it is not complete. */
bool sm_judge_by_verify(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                        struct sm_judgement *judgement, struct sm_error *error);
/* The program as it is; if verify finds that it fails, in the strongest model in which it does. */
bool sm_judge_program(struct sm_judge *judge, struct sm_judgement *judgement,
                      struct sm_error *error);
void sm_judgement_free(struct sm_judgement *judgement);

#endif
