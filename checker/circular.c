/*
 * hb with prescience: does a future value lead back to itself?
 *
 * A read of a later store is legal if that store does not happen after it. But if a path of
 * happens-before and reads-from leads from the read to the store, the value may have been stored
 * only because it was read: it may be out of thin air. Load buffering, where the store does not
 * depend on the read, has the same trace. This finds the paths; a certificate (certificates.c)
 * distinguishes the two.
 */
#include <stdlib.h>

#include "checker/happens.h"

struct circle_search {
    struct sm_execution *x;
    SM_VECTOR(uint32_t) sources; /* every event that happens after one of these is reached */
    bool *reached;               /* of each event */
};

static bool is_known(const struct circle_search *search, uint32_t event)
{
    for (uint32_t i = 0; i < search->sources.n; i++)
        if (sm_happens_before(search->x, search->sources.at[i], event))
            return true;
    return false;
}

static bool sees_reached(const struct circle_search *search, uint32_t event)
{
    const struct sm_execution *x = search->x;
    const struct sm_checked_event *node = &x->events.at[event];
    for (uint32_t p = node->part; p < node->part + node->n_parts; p++) {
        uint32_t source = x->parts.at[p].source;
        if (source != SM_NONE && source != SM_FROM_INITIAL &&
            search->reached[x->parts.at[source].event])
            return true;
    }
    return false;
}

/* One pass in trace order. True if it has reached more: the store of a future read may be reached
   only after the pass has visited the read. */
static bool reach(struct circle_search *search)
{
    bool more = false;
    for (uint32_t e = 0; e < search->x->events.n; e++) {
        if (search->reached[e])
            continue;
        bool known = is_known(search, e);
        if (!known && sees_reached(search, e))
            SM_PUSH(&search->sources, e);
        else if (!known)
            continue;
        search->reached[e] = more = true;
    }
    return more;
}

bool sm_leads_back(struct sm_execution *x, uint32_t read)
{
    struct circle_search search = {.x = x, .reached = sm_check_alloc(x->events.n, sizeof(bool))};
    SM_PUSH(&search.sources, read);
    while (reach(&search))
        continue;
    bool back = sees_reached(&search, read);
    free(search.reached);
    free(search.sources.at);
    return back;
}

bool sm_find_circle(struct sm_execution *x)
{
    bool found = false;
    for (uint32_t e = 0; e < x->events.n && !found; e++)
        found = (x->events.at[e].flags & SM_RECORD_FUTURE) && sm_leads_back(x, e);
    return found;
}
