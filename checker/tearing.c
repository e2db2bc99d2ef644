/*
 * A read composed of several stores is legal if each store covers only some of its cells. If
 * two stores both cover two of its cells, and it reads one cell from each, the read is torn:
 * legal only for the two halves of a plain 8-byte value in hb. (In sc, tso and pso memory.c
 * excludes this: every cell has its newest store.)
 */
#include "checker/execution.h"

static bool covers(const struct sm_execution *x, uint32_t source, uint32_t cell)
{
    return source == SM_FROM_INITIAL || sm_part_at(x, x->parts.at[source].event, cell) != SM_NONE;
}

static bool same_store(const struct sm_execution *x, uint32_t a, uint32_t b)
{
    if (a == SM_FROM_INITIAL || b == SM_FROM_INITIAL)
        return a == b;
    return x->parts.at[a].event == x->parts.at[b].event;
}

static bool may_tear(const struct sm_execution *x, const struct sm_checked_event *event, uint32_t a,
                     uint32_t b)
{
    return !sm_is(event, SM_IS_ATOMIC) && x->cells[a].addr / 4 != x->cells[b].addr / 4;
}

static bool check_pair(struct sm_execution *x, uint32_t p, uint32_t q)
{
    const struct sm_event_part *a = &x->parts.at[p], *b = &x->parts.at[q];
    const struct sm_checked_event *event = &x->events.at[a->event];
    if (same_store(x, a->source, b->source) || may_tear(x, event, a->cell, b->cell) ||
        !covers(x, a->source, b->cell) || !covers(x, b->source, a->cell))
        return true;
    uint32_t seen = a->source == SM_FROM_INITIAL ? b->source : a->source;
    return SM_BROKEN(x, TEARING, "{0} sees one part of {1}, and another store in place of the rest",
                     a->event, x->parts.at[seen].event);
}

bool sm_check_tearing(struct sm_execution *x)
{
    for (uint32_t e = 0; e < x->events.n; e++) {
        const struct sm_checked_event *event = &x->events.at[e];
        if (!sm_is(event, SM_IS_READ))
            continue;
        for (uint32_t p = event->part; p < event->part + event->n_parts; p++)
            for (uint32_t q = p + 1; q < event->part + event->n_parts; q++)
                if (!check_pair(x, p, q))
                    return false;
    }
    return true;
}
