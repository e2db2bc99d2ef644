/*
 * hb, plain reads: Jumble's rule. A read may return any store that is not overwritten on a
 * happens-before path to it; with prescience, also one that is later in the trace, if it
 * does not happen after the read. Only the last store of each thread that happens before the
 * read needs checking: if an earlier one of that thread overwrites, so does it.
 */
#include "checker/chains.h"

static bool overwrites(const struct sm_execution *x, uint32_t source, uint32_t store_part)
{
    uint32_t store = x->parts.at[store_part].event;
    if (source == SM_FROM_INITIAL)
        return true;
    uint32_t seen = x->parts.at[source].event;
    return seen != store && sm_happens_before(x, seen, store);
}

static bool check_part(struct sm_execution *x, const struct sm_chains *stores, uint32_t p)
{
    const struct sm_event_part *part = &x->parts.at[p];
    uint32_t r = part->event;
    if (part->source != SM_FROM_INITIAL) {
        uint32_t w = x->parts.at[part->source].event;
        if (w > r && sm_happens_before(x, r, w))
            return SM_BROKEN(x, FUTURE, "{0} reads from {1}, which happens after it", r, w);
    }
    for (uint32_t c = stores->cell_first[part->cell]; c < stores->cell_first[part->cell + 1]; c++) {
        uint32_t last = sm_chain_last(x, stores, &stores->chains[c], r);
        if (last == SM_NONE || !overwrites(x, part->source, last))
            continue;
        uint32_t by = x->parts.at[last].event;
        if (part->source == SM_FROM_INITIAL)
            return SM_BROKEN(x, VISIBLE, "{0} reads the initial value, overwritten by {1}", r, by);
        return SM_BROKEN(x, VISIBLE, "{0} reads from {1}, overwritten by {2}", r,
                         x->parts.at[part->source].event, by);
    }
    return true;
}

bool sm_check_visible(struct sm_execution *x)
{
    struct sm_chains stores;
    bool ok = true;
    sm_chains_build(x, SM_IS_WRITE, &stores);
    for (uint32_t p = 0; p < x->parts.n && ok; p++) {
        const struct sm_checked_event *event = sm_event_of_part(x, p);
        if (sm_is(event, SM_IS_READ) && !sm_is(event, SM_IS_ATOMIC))
            ok = check_part(x, &stores, p);
    }
    sm_chains_free(&stores);
    return ok;
}
