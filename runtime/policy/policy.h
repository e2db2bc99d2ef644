/*
 * policy.h - the policies that answer choices.
 *
 * A schedule policy picks threads; a heuristic picks values and flushes. Each only
 * answers: it never runs, blocks or wakes anything. Answers must depend on nothing but
 * the seed and what happened before in the execution.
 */
#ifndef SM_RUNTIME_POLICY_POLICY_H
#define SM_RUNTIME_POLICY_POLICY_H

#include "abi/choice.h"
#include "runtime/thread.h"

/* Candidates, by number; `first` is the running thread if it can continue, else the next one after
   it. Answers count from there, in circular order. */
struct sm_candidates {
    struct sm_thread *const *threads;
    uint32_t n, first;
};

static inline struct sm_thread *sm_candidate(const struct sm_candidates *candidates,
                                             uint32_t answer)
{
    uint32_t at = candidates->first + answer;
    return candidates->threads[at < candidates->n ? at : at - candidates->n];
}

struct sm_schedule {
    void (*start)(void);                       /* may be NULL */
    void (*created)(struct sm_thread *thread); /* may be NULL */
    void (*yielded)(struct sm_thread *thread); /* may be NULL: it spins */
    uint32_t (*thread)(const struct sm_candidates *candidates);
    /* May be NULL. True: it has an answer to the current choice, which is not for a thread. */
    bool (*knows)(enum sm_purpose purpose, uint32_t *pick);
};

#define SM_SCHEDULE(name, word, about) extern const struct sm_schedule sm_schedule_##word;
#include "abi/schedules.def"

/* The schedule of this execution; NULL when all answers come from the file. */
extern const struct sm_schedule *sm_schedule;
void sm_policy_start(void);

/* The policies' stream of pseudo-random numbers, and one of 0..n-1. */
uint64_t sm_random(void);
uint32_t sm_random_below(uint32_t n);

/* Answers from an edited recording: see lenient.c. */
void sm_lenient_start(void);
uint32_t sm_lenient_answer(const struct sm_choice *here);
/* The same, but only if the choice has as many alternatives as before. False: nothing fits. */
bool sm_lenient_find(const struct sm_choice *here, uint32_t *pick);
/* The current choice. */
const struct sm_choice *sm_choice_here(void);

/* Context of a VALUE choice; [0] is the newest store. */
struct sm_value_choice {
    const struct sm_event *event;
    const uint64_t *values;
    uint32_t n;
    uint64_t last_seen; /* last value read of this location by any thread */
    bool has_last;
    uint32_t stale_run; /* stale values that this thread read at this site since it last read the
                           newest store */
};
uint32_t sm_heuristic_value(const struct sm_value_choice *choice);

/* Context of a FUTURE choice; shift: which bits of the value a FUTURE_VALUE choice is for. */
struct sm_future_choice {
    const struct sm_event *event;
    unsigned shift;
};
void sm_prescient_start(void);
uint32_t sm_prescient_looks(const struct sm_future_choice *choice);
uint32_t sm_prescient_value(const struct sm_future_choice *choice, uint32_t n);

#endif
