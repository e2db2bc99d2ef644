#include "verify/results/estimate.h"

#include "base/random.h"
#include "runtime/control.h"
#include "verify/exploration.h"
#include "verify/pool.h"
#include "verify/results/parcel.h"

/* If each level leaves hardly more than one graph there are as many levels as executions: sampling
   stops after MOST_SAMPLED runs, without an estimate. */
enum { FIRST_ESTIMATE = 500, TIMES = 10, SAMPLE = 100, MOST_SAMPLED = 10000 };

struct sampled_level {
    struct sm_graph graphs[SAMPLE];
    uint32_t n;    /* graphs */
    uint64_t seen; /* how many they were chosen from */
};

static struct estimate {
    bool on;
    uint64_t due; /* executions */
    struct sm_random random;
    struct sampled_level now, next;
    struct sm_frontier aside; /* the frontier of the exploration, while estimating */
    uint32_t runs;
    double weight, sum; /* of an execution at this level; of all so far */
    uint64_t blocked;   /* the counts before */
    uint32_t cut;
} *estimate;

void sm_estimate_start(void)
{
    estimate = sm_pool_get(sizeof *estimate);
    estimate->on = false;
    estimate->due = FIRST_ESTIMATE;
    estimate->random = sm_random_seed(1, 0);
    estimate->now.n = estimate->next.n = 0;
}

void sm_estimate_renew(void)
{
    estimate->due = sm_control->executions + FIRST_ESTIMATE;
    sm_control->explored.estimate = 0;
}

bool sm_estimating(void)
{
    return estimate->on;
}

/* Reservoir sampling: each graph seen has the same chance of being kept. */
static void offer_pending(void)
{
    struct sampled_level *next = &estimate->next;
    for (uint32_t i = 0; i < sm_exploration->frontier.n_pending; i++) {
        uint64_t at = next->seen++;
        if (at >= SAMPLE)
            at = sm_random_next(&estimate->random) % next->seen;
        if (at >= SAMPLE)
            continue;
        if (at < next->n)
            sm_graph_free(&next->graphs[at]);
        else
            next->n++;
        sm_frontier_copy(&sm_exploration->frontier, &next->graphs[at], i);
    }
}

static bool go_on(void)
{
    if (!estimate->now.n) {
        if (!estimate->next.n)
            return false;
        estimate->now = estimate->next;
        estimate->weight *= (double)estimate->now.seen / estimate->now.n;
        estimate->next.n = 0;
        estimate->next.seen = 0;
    }
    sm_frontier_restart(&sm_exploration->frontier, &estimate->now.graphs[--estimate->now.n]);
    return true;
}

bool sm_estimate_begin(void)
{
    uint32_t watched = sm_control->explored.watched;
    if (!watched || sm_control->executions < estimate->due ||
        (watched == SM_WATCHED_WHOLE && sm_parcel_is_part()) || !sm_exploration->frontier.n_pending)
        return false;
    estimate->on = true;
    estimate->runs = 0;
    estimate->sum = 0;
    estimate->weight = 1;
    estimate->next.seen = 0;
    estimate->blocked = sm_control->explored.blocked;
    estimate->cut = sm_control->explored.cut;
    estimate->due = sm_control->executions * TIMES;
    offer_pending();
    estimate->aside = sm_exploration->frontier;
    sm_frontier_init(&sm_exploration->frontier);
    return go_on();
}

static void forget(struct sampled_level *level)
{
    while (level->n)
        sm_graph_free(&level->graphs[--level->n]);
}

void sm_estimate_give_up(void)
{
    if (!estimate->on)
        return;
    estimate->on = false;
    forget(&estimate->now);
    forget(&estimate->next);
    sm_frontier_free(&sm_exploration->frontier);
    sm_exploration->frontier = estimate->aside;
    sm_control->explored.blocked = estimate->blocked;
    sm_control->explored.cut = estimate->cut;
}

bool sm_estimate_next(bool complete)
{
    estimate->sum += complete ? estimate->weight : 0;
    offer_pending();
    if (++estimate->runs < MOST_SAMPLED && !sm_control->explored.stop && go_on())
        return true;
    if (!estimate->now.n && !estimate->next.n)
        sm_control->explored.estimate = (double)sm_control->executions + estimate->sum;
    sm_estimate_give_up();
    return false;
}
