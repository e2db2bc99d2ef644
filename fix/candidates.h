/*
 * candidates.h - the repairs to try, made from the findings, the weakest first.
 *
 * A suspect is a variable with races, or a unit of work that is not atomic. Each has some cures
 * (cures.def); a candidate takes one for each suspect. So publication (a flag with release and
 * acquire, the payload as it is), lazy initialisation, counters, check-then-act and Dekker's flags
 * need no rules of their own: the cheapest combination that is enough is the one an expert would
 * write. Making every racy variable relaxed is always among them and tried first: if it only hides
 * the failure, its witness shows why it is rejected.
 */
#ifndef SM_FIX_CANDIDATES_H
#define SM_FIX_CANDIDATES_H

#include "fix/repairs.h"
#include "fix/spots.h"

enum sm_cure {
#define SM_CURE(name, cost, is_lock) SM_CURE_##name,
#include "fix/cures.def"
    SM_CURES
};

enum {
    SM_FEW_SUSPECTS = 3,  /* all combinations are tried; with more suspects, one cure for one, two
                             or all of them */
    SM_MOST_SUSPECTS = 16 /* more are left out */
};

struct sm_suspect {
    char *name;
    struct sm_spots spots;
    struct sm_list racing; /* "FILE:LINE" of accesses that were seen to race */
    bool is_atomic;        /* no race, but perhaps a weak order: a flag of another suspect */
    bool is_unit;          /* spots are the ranges of functions that must be atomic */
};

struct sm_suspects {
    struct sm_suspect *items;
    size_t n;
};

struct sm_candidate {
    struct sm_repair_set repairs;
    char *text; /* what to do, a clause */
    unsigned cost;
    enum sm_cure cures[SM_MOST_SUSPECTS]; /* of the suspects, in their order */
    size_t n;
    bool everywhere; /* one cure for each suspect that can have it */
    bool pair;       /* one cure for two of many */
    bool locks;      /* it has a lock */
    bool built;      /* it cannot be assumed: the patched program is built, and judged */
    bool split;      /* updates stay a read and a write: only tried to show that it is not enough */
    bool silencing;  /* every racy variable relaxed, and nothing else */
};

struct sm_candidate_list {
    struct sm_candidate *items;
    size_t n;
};

void sm_suspect_add(struct sm_suspects *suspects, const struct sm_trees *trees, const char *name);
/* Sorts the likely causes first. */
void sm_suspects_rank(struct sm_suspects *suspects);
void sm_suspects_free(struct sm_suspects *suspects);

/* Silencing first, then by cost. */
void sm_candidates_make(struct sm_candidate_list *candidates, const struct sm_suspects *suspects,
                        const struct sm_trees *trees);
/* Both have only orders, and each cure of `a` is at most as strong as that of `b`: if b fails, so
   does a. */
bool sm_candidate_is_weaker(const struct sm_candidate *a, const struct sm_candidate *b);
/* The strongest orders for the same variables. */
bool sm_candidate_is_top(const struct sm_candidate *candidate);
bool sm_candidates_touch_same(const struct sm_candidate *a, const struct sm_candidate *b);
void sm_candidates_free(struct sm_candidate_list *candidates);

#endif
