/*
 * PCT: probabilistic concurrency testing with depth d. Threads have random priorities and
 * the highest runs; at d-1 random points of an expected `length` the running thread falls
 * below all others. A bug that needs d ordering constraints is then found with
 * probability at least 1/(n * length^(d-1)) for n threads.
 *
 * A thread that spins would starve the one it waits for, so a yield, too, puts a thread
 * below all others (as Fray and CHESS do).
 */
#include "runtime/policy/policy.h"

#include "runtime/control.h"

enum { MAX_CHANGES = 64 };
static uint64_t changes[MAX_CHANGES]; /* points at which the running thread falls */
static uint32_t n_changes;
static uint64_t point;
static uint64_t lowest; /* next priority below all given so far */

static void start(void)
{
    uint64_t length = sm_option(pct_length) ? sm_option(pct_length) : 1;
    n_changes = sm_option(pct_depth) > 1 ? (uint32_t)sm_option(pct_depth) - 1 : 0;
    if (n_changes > MAX_CHANGES)
        n_changes = MAX_CHANGES;
    for (uint32_t i = 0; i < n_changes; i++)
        changes[i] = sm_random() % length;
    point = 0;
    lowest = UINT64_MAX >> 1;
}

/* Random priorities lie in the upper half, those of fallen threads in the lower. */
static void created(struct sm_thread *thread)
{
    thread->priority = sm_random() | 1ul << 63;
}

static void fall(struct sm_thread *thread)
{
    thread->priority = lowest--;
}

static uint32_t highest(const struct sm_candidates *candidates)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < candidates->n; i++)
        if (sm_candidate(candidates, i)->priority > sm_candidate(candidates, best)->priority)
            best = i;
    return best;
}

static uint32_t pick(const struct sm_candidates *candidates)
{
    for (uint32_t i = 0; i < n_changes; i++)
        if (changes[i] == point)
            fall(sm_candidate(candidates, highest(candidates)));
    point++;
    return highest(candidates);
}

const struct sm_schedule sm_schedule_pct = {
    .start = start, .created = created, .yielded = fall, .thread = pick};
