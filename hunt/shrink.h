/*
 * shrink.h - reduces a failing execution.
 *
 * The list of choices is the execution, and an entry left out gets the default answer: no stale
 * value, no switch. So a witness is reduced by leaving out as many entries as possible (delta
 * debugging), lies first, then switches. What remains are the lies and the switches that the
 * failure needs.
 *
 * A hang is not reduced. It counts only because every thread got its turn again and again, which is
 * no longer so with default answers.
 */
#ifndef SM_HUNT_SHRINK_H
#define SM_HUNT_SHRINK_H

#include "campaign/baseline.h"

/* A failing execution that can be repeated. */
struct sm_case {
    struct sm_options options; /* of the trial that found it */
    enum sm_watch_mode watch;
    const struct sm_watchlist *watched, *lied;
    bool lie_all;
    struct sm_choice *choices; /* owned */
    size_t n_choices;
    enum sm_failure_kind kind;
    bool slow; /* what looked like a hang was only slow */
    struct sm_result_facts facts;
};
void sm_case_free(struct sm_case *failing);

/* Repeats the trial and keeps its choices. The kind is SM_FAILURE_NONE when it does not fail again:
   a hang that ends if given ten times as many steps (then slow is set), or a program that depends
   on something that is not controlled. */
bool sm_case_take(struct sm_case *failing, const struct sm_trial *trial,
                  struct sm_campaign *campaign, const struct sm_baseline *baseline,
                  struct sm_error *error);
/* The trial that repeats the case: exactly, or (lenient) as far as choices still fit. */
struct sm_trial sm_case_trial(const struct sm_case *failing, bool lenient);
/* The facts are of the same failure. */
bool sm_case_same(const struct sm_case *failing, const struct sm_baseline *baseline,
                  const struct sm_result_facts *facts);
/* Its choices without the lies; the caller frees them. */
struct sm_choice *sm_case_without_lies(const struct sm_case *failing, size_t *n);
/* No stale value, no future value, no delayed store, no store out of order. */
bool sm_case_is_honest(const struct sm_case *failing);

bool sm_shrink(struct sm_case *failing, struct sm_campaign *campaign,
               const struct sm_baseline *baseline, struct sm_error *error);

#endif
