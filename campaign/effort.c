#include "campaign/effort.h"

enum { SATURATED = 3 /* rounds without anything new */ };

void sm_effort_round(struct sm_effort *effort, uint64_t findings, bool exact)
{
    effort->rounds++;
    effort->last_new = findings;
    effort->quiet = findings ? 0 : exact ? SATURATED : effort->quiet + 1;
}

void sm_effort_spend(struct sm_effort *effort, double seconds)
{
    effort->last_seconds = seconds;
    effort->seconds += seconds;
}

bool sm_effort_is_saturated(const struct sm_effort *effort)
{
    return effort->quiet >= SATURATED;
}

/* A quiet round halves the expectation, it does not end it. The tenth of a second keeps tests that
   end at once from taking the whole budget. */
static double promise(const struct sm_effort *effort)
{
    return ((double)effort->last_new + 1.0 / (double)(1 + effort->quiet)) /
           (effort->last_seconds + 0.1);
}

/* Tests without a round in this campaign come first: the program may have changed. */
size_t sm_effort_choose(const struct sm_effort efforts[], size_t n, bool endless)
{
    size_t best = n, least = n;
    for (size_t i = 0; i < n; i++) {
        const struct sm_effort *effort = &efforts[i];
        bool saturated = sm_effort_is_saturated(effort);
        if (effort->unable)
            continue;
        if (!effort->last_seconds && !saturated)
            return i;
        if (!saturated && (best == n || promise(effort) > promise(&efforts[best])))
            best = i;
        if (least == n || effort->seconds < efforts[least].seconds)
            least = i;
    }
    return best < n || !endless ? best : least;
}
