/* The search for a modification order: see modification.h. */
#include <stdlib.h>

#include "checker/modification.h"

struct order_search {
    struct sm_modification *m;
    uint32_t budget;
    bool conflict; /* found one: the first is the verdict */
    struct sm_verdict first;
};

/* RMWs that could not be glued (mixed sizes): a store between the source and the RMW must move
   before the one or after the other. */
static bool check_atomicity(struct sm_execution *x, sm_mo_edges *reversals)
{
    for (uint32_t p = 0; p < x->parts.n; p++) {
        if (!sm_is(sm_event_of_part(x, p), SM_IS_READ | SM_IS_WRITE))
            continue;
        uint32_t other = sm_mo_between(x, p), source = x->parts.at[p].source;
        if (other == SM_NONE)
            continue;
        uint32_t u = x->parts.at[p].event, w = x->parts.at[other].event;
        SM_PUSH(reversals, (struct sm_mo_edge){u, w, u, w});
        if (source != SM_FROM_INITIAL)
            SM_PUSH(reversals, (struct sm_mo_edge){w, x->parts.at[source].event, u, w});
        return SM_BROKEN(x, ATOMICITY, "{0} does not read from {1}, the store before it", u, w);
    }
    return true;
}

static bool solve(struct order_search *s);

static bool try_reversal(struct order_search *s, struct sm_mo_edge reversal)
{
    struct sm_modification *m = s->m;
    uint32_t location = m->x->events.at[reversal.from].location;
    SM_PUSH(&m->decided, reversal);
    if (sm_modification_order(m, location) && solve(s))
        return true;
    m->decided.n--;
    sm_modification_order(m, location);
    return false;
}

static bool solve(struct order_search *s)
{
    struct sm_execution *x = s->m->x;
    sm_mo_edges reversals = {0};
    bool ok =
        check_atomicity(x, &reversals) && (s->m->in_trace_order || sm_check_seq_cst(x, &reversals));
    if (!ok && !s->conflict) {
        s->conflict = true;
        s->first = *x->verdict;
    }
    for (size_t i = 0; i < reversals.n && !ok && s->budget; i++) {
        s->budget--;
        ok = reversals.at[i].from != reversals.at[i].to && try_reversal(s, reversals.at[i]);
    }
    free(reversals.at);
    return ok;
}

/* 200 million event visits take about ten seconds; no trace of a real program has come near. */
static uint32_t search_budget(const struct sm_execution *x)
{
    uint64_t attempts = 200000000 / (x->events.n + 1);
    return attempts < 16 ? 16 : attempts > 20000 ? 20000 : (uint32_t)attempts;
}

bool sm_check_modification(struct sm_execution *x)
{
    struct sm_modification m = {.x = x};
    struct order_search s = {.m = &m, .budget = search_budget(x)};
    bool ok = sm_modification_start(&m);
    if (ok) {
        ok = solve(&s);
        if (!ok)
            *x->verdict = s.first;
        if (!ok && !s.budget)
            ok = sm_broken_record(x, SM_AXIOM_SEARCH,
                                  "no modification order was found, but not all were tried", 0,
                                  NULL);
    }
    sm_modification_free(&m);
    return ok;
}
