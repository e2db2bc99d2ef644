/*
 * The five heuristics of adversarial memory: which of the visible stores a load sees. "Different"
 * means different from the last value read of these bytes, by any thread. Before the first read
 * every value is different, as in the paper: a variable that is read once gets its oldest value.
 *
 * Fairness: a thread that read stale values of a location at one site PATIENCE times in a row then
 * gets its newest store at one read in FAIR, at random, whatever the heuristic says, so that a
 * loop that waits for a store ends. Not before: many programs read only once. Without it
 * (--unfair) the model is that of a compiler that hoists the load out of the loop.
 */
#include "runtime/control.h"
#include "runtime/policy/policy.h"

enum { PATIENCE = 12, FAIR = 4 };

static uint32_t oldest_but_different(const struct sm_value_choice *choice)
{
    for (uint32_t i = choice->n; choice->has_last && i-- > 0;)
        if (choice->values[i] != choice->last_seen)
            return i;
    return choice->n - 1;
}

static uint32_t random_but_different(const struct sm_value_choice *choice)
{
    uint32_t start = sm_random_below(choice->n);
    for (uint32_t i = start; choice->has_last && i < start + choice->n; i++)
        if (choice->values[i % choice->n] != choice->last_seen)
            return i % choice->n;
    return start;
}

uint32_t sm_heuristic_value(const struct sm_value_choice *choice)
{
    if (!sm_option(unfair) && choice->stale_run >= PATIENCE && sm_random_below(FAIR) == 0) {
        sm_count(FAIR_READ);
        return 0;
    }
    switch ((enum sm_heuristic_id)sm_option(heuristic)) {
    case SM_HEURISTIC_OLDEST:
        return choice->n - 1;
    case SM_HEURISTIC_OLDEST_BUT_DIFFERENT:
        return oldest_but_different(choice);
    case SM_HEURISTIC_RANDOM:
        return sm_random_below(choice->n);
    case SM_HEURISTIC_RANDOM_BUT_DIFFERENT:
        return random_but_different(choice);
    default:
        return 0;
    }
}
