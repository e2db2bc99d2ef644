/*
 * judge.h - is the program right once it is repaired?
 *
 * Nothing is rebuilt: the program runs with --assume-fix. First `verify` goes through every
 * execution. Where it is complete its answer is exact. Where it is not (the program is too large,
 * or does what verify refuses), the witnesses of what was found are run again with their schedules
 * and their lies, and a hunt of the effort that the settings ask for looks for anything else.
 *
 * A failure of any kind counts, not only the one that was to be repaired: a repair that brings a
 * deadlock is none. So does a race that is left, unless it was there before and was not to be
 * repaired (`accepted`).
 */
#ifndef SM_FIX_JUDGE_H
#define SM_FIX_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/repair.h"
#include "base/options.h"

enum sm_judged {
    SM_JUDGED_CLEAN,   /* nothing fails */
    SM_JUDGED_FAILS,   /* `detail` and `witness` say what */
    SM_JUDGED_NOWHERE, /* a repair means no access of the program: `detail` has the lines */
    SM_JUDGED_NOT,     /* no execution could be made: `detail` says why */
};

/* What is the same for all candidates. */
struct sm_judge {
    const struct sm_settings *settings; /* of fix; its operands are the program and its arguments */
    const char *directory;              /* exists; files of each judgement are kept there */
    struct sm_list witnesses;           /* paths: of the findings, run again if verify cannot say */
    struct sm_list accepted;            /* variables whose races are not to be repaired */
    unsigned made;                      /* judgements so far; names files */
    double deadline;                    /* of sm_now(); 0: none */
};
/* With a limit for the whole command, a hunt may take this part of it. */
#define SM_HUNT_SHARE 0.125

struct sm_judgement {
    enum sm_judged verdict;
    bool exact;        /* every execution was covered */
    const char *by;    /* "verify" or "hunt" */
    char *detail;      /* what fails, as one sentence; NULL if nothing does */
    char *witness;     /* path, or NULL */
    uint64_t executed; /* bits: by verify; of repairs of orders, those whose place was executed */
    char *assumption;  /* path of the file given to --assume-fix */
};

/* False: an error of Stalemate's own, or Ctrl-C. */
bool sm_judge_repairs(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                      struct sm_judgement *judgement, struct sm_error *error);
/* The same by verify alone: SM_JUDGED_NOT where it is not complete. */
bool sm_judge_by_verify(struct sm_judge *judge, const struct sm_repair *repairs, size_t n,
                        struct sm_judgement *judgement, struct sm_error *error);
void sm_judgement_free(struct sm_judgement *judgement);

#endif
