#include "verify/loops/undone.h"

#include <string.h>

#include "base/sys.h"
#include "core/value_use.h"
#include "runtime/module.h"
#include "verify/explore.h"
#include "verify/loops/await.h"
#include "verify/pool.h"

enum { MOST_LOCATIONS = 16, MOST_LOADS = 16, MOST_PAIRS = 8 };

/* Survives restarts of the exploration. */
static struct watched {
    uint32_t n;
    struct location {
        uint16_t loc;
        bool opaque; /* some load may use the value in any way */
        uint32_t n;
        const struct sm_site *loads[MOST_LOADS];
    } locations[MOST_LOCATIONS];
} *watched;

void sm_undone_start(void)
{
    watched = memset(sm_pool_get(sizeof *watched), 0, sizeof *watched);
}

void sm_undone_pack(struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, watched, sizeof *watched);
}

void sm_undone_unpack(struct sm_parcel *parcel)
{
    sm_parcel_take(parcel, watched, sizeof *watched);
}

/* ---- uses of loaded values ---- */

static struct location *find(uint16_t loc)
{
    for (uint32_t i = 0; i < watched->n; i++)
        if (watched->locations[i].loc == loc)
            return &watched->locations[i];
    return NULL;
}

bool sm_undone_watch(uint16_t loc)
{
    if (find(loc))
        return true;
    if (watched->n == MOST_LOCATIONS || sm_exploring != SM_EXPLORE_ALL)
        return false;
    watched->locations[watched->n++] = (struct location){.loc = loc};
    sm_await_begin_again();
    return true;
}

static bool is_known(const struct location *location, const struct sm_site *site)
{
    for (uint32_t i = 0; i < location->n; i++)
        if (location->loads[i] == site)
            return true;
    return location->opaque;
}

void sm_undone_loaded(uint16_t loc, const struct sm_site *site)
{
    struct location *location = watched->n ? find(loc) : NULL;
    if (SM_LIKELY(!location) || is_known(location, site))
        return;
    if (!site || sm_value_is_used(site) || location->n == MOST_LOADS)
        location->opaque = true;
    else
        location->loads[location->n++] = site;
    sm_await_begin_again();
}

static bool looks_the_same(const struct location *location, uint64_t was, uint64_t is,
                           unsigned size)
{
    for (uint32_t i = 0; i < location->n; i++)
        if (!sm_value_is_as_good(location->loads[i], was, is, size))
            return false;
    return !location->opaque;
}

/* ---- additions ---- */

static bool adds(const struct sm_site *site)
{
    return site && site->kind == SM_SITE_RMW &&
           (site->op == SM_RMW_ADD || site->op == SM_RMW_SUB) && site->size <= 8;
}

bool sm_undone_is_addition(const struct sm_event *event)
{
    return adds(event->site) && event->op == event->site->op && event->size == event->site->size;
}

static const struct sm_site *addition_at(const struct sm_node *write)
{
    const struct sm_site *site = write->site == SM_NO_SITE ? NULL : sm_site_by_number(write->site);
    return (write->flags & SM_NODE_RMW) && !(write->flags & SM_NODE_LOCK) && adds(site) ? site
                                                                                        : NULL;
}

static uint64_t truncate(uint64_t value, unsigned size)
{
    return size == 8 ? value : value & ((1ul << 8 * size) - 1);
}

/* By how much `write` has changed the value. */
static uint64_t change_of(const struct sm_graph *graph, const struct sm_node *write, unsigned size)
{
    return truncate(write->value - graph->nodes[write->pred].value, size);
}

/* `write` is one of w1 to wn (undone.h), whose values include `change`; `first`: it is w1. */
static bool is_shifted(const struct sm_graph *graph, uint32_t write, bool first, uint64_t change,
                       const struct location *location)
{
    const struct sm_node *node = &graph->nodes[write];
    const struct sm_site *site = addition_at(node);
    if (!site)
        return false;
    uint64_t read = graph->nodes[node->pred].value;
    bool same =
        first || sm_value_is_as_good(site, read, truncate(read - change, site->size), site->size);
    return same && looks_the_same(location, node->value, truncate(node->value - change, site->size),
                                  site->size);
}

static bool is_undone(const struct sm_graph *graph, uint32_t first, uint32_t last)
{
    const struct sm_node *node = &graph->nodes[first];
    const struct location *location = find(node->loc);
    uint64_t change = change_of(graph, node, addition_at(node)->size);
    if (!location)
        return false;
    for (uint32_t w = graph->nodes[graph->nodes[last].pred].rf; w != SM_NO_NODE;
         w = graph->nodes[graph->nodes[w].pred].rf) {
        bool own = graph->nodes[w].thread == node->thread;
        if ((own && w != first) || !is_shifted(graph, w, w == first, change, location))
            return false;
        if (w == first)
            return true;
    }
    return false;
}

/* Additions whose inverse, earlier one is still to be found: from the end on, the earliest last. */
struct undoing {
    uint32_t n;
    uint32_t writes[MOST_PAIRS];
};

static bool is_inverse(const struct sm_graph *graph, const struct sm_node *first,
                       const struct sm_node *last)
{
    unsigned size = addition_at(first)->size;
    return first->loc == last->loc &&
           !truncate(change_of(graph, first, size) + change_of(graph, last, size), size);
}

static bool remember(struct undoing *undoing, uint32_t write)
{
    if (undoing->n == MOST_PAIRS)
        return false;
    undoing->writes[undoing->n++] = write;
    return true;
}

/* The write takes a lock, or gives it back. */
static bool take_lock(struct undoing *undoing, const struct sm_graph *graph, uint32_t write,
                      uint32_t last)
{
    const struct sm_node *node = &graph->nodes[write];
    const struct location *location = find(node->loc);
    if (!(node->flags & SM_NODE_RMW))
        return remember(undoing, write);
    if (last == SM_NO_NODE || node->mo_next != last || !location || location->opaque)
        return false;
    undoing->n--;
    return !(graph->nodes[last].flags & SM_NODE_RMW);
}

static bool take(struct undoing *undoing, const struct sm_graph *graph, uint32_t write)
{
    const struct sm_node *node = &graph->nodes[write];
    uint32_t last = undoing->n ? undoing->writes[undoing->n - 1] : SM_NO_NODE;
    if (node->flags & SM_NODE_LOCK)
        return take_lock(undoing, graph, write, last);
    if (node->value == graph->nodes[node->pred].value)
        return true; /* leaves the value as it was: iteration.h */
    if (!addition_at(node))
        return false;
    if (last != SM_NO_NODE && is_inverse(graph, node, &graph->nodes[last])) {
        undoing->n--;
        return is_undone(graph, write, last);
    }
    return remember(undoing, write);
}

bool sm_undone_holds(const struct sm_graph *graph, uint32_t thread, uint16_t since, uint16_t until)
{
    struct undoing undoing = {0};
    for (uint32_t e = graph->last[thread]; e != SM_NO_NODE; e = graph->nodes[e].pred) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->thread != thread || node->index < since)
            break;
        if (node->index < until && node->kind == SM_NODE_WRITE && !take(&undoing, graph, e))
            return false;
    }
    return undoing.n == 0;
}
