#include "verify/states/idle.h"

#include "verify/states/machine_parts.h"

enum { MOST_READS = 10000 };

static bool reads(const struct sm_local *node)
{
    return node->kind == SM_LOCAL_READ || node->kind == SM_LOCAL_RMW;
}

static bool reads_in_order(const struct sm_local *node)
{
    return reads(node) && sm_machine_is_ordered(node->loc);
}

/* Nodes that another loop leads to do not count: the thread may have come by that way. */
bool sm_idle_closes(uint32_t from, uint32_t to)
{
    const struct sm_local *node = sm_local_at(from);
    if (sm_local_at(to)->depth > node->depth)
        return false;
    for (uint32_t at = from; reads_in_order(node); node = sm_local_at(at)) {
        if (at == to)
            return true;
        if (node->flags & SM_LOCAL_ENTERED)
            return false;
        at = node->parent;
    }
    return false;
}

/* Whatever is read there, the thread repeats the iteration. */
static bool only_leads_back(const struct sm_local *node)
{
    for (uint32_t child = node->first_child; child; child = sm_local_at(child)->sibling)
        if (sm_local_at(sm_local_resolve(child))->depth > node->depth)
            return false;
    return true;
}

/* The thread's next node if it reads the newest value. */
static enum sm_stays read_newest(const struct sm_machine *machine, uint32_t *node,
                                 bool in_iteration)
{
    const struct sm_local *at = sm_local_at(*node);
    uint64_t newest, written;
    if (!sm_machine_newest(machine, at->loc, &newest))
        return in_iteration || only_leads_back(at) ? SM_STAYS_UNSURE : SM_GOES_ON;
    if (at->kind == SM_LOCAL_RMW && sm_local_apply(at, newest, &written) && written != newest)
        return SM_GOES_ON;
    *node = sm_local_find(*node, newest);
    return *node ? SM_STAYS : SM_GOES_ON;
}

/* Where it would be after an idle iteration, it begins the next. */
static enum sm_stays go_on(const struct sm_machine *machine, uint32_t *node, bool idle)
{
    const struct sm_local *at = sm_local_at(*node);
    if (reads(at))
        return read_newest(machine, node, idle);
    if (at->kind != SM_LOCAL_IDLE)
        return SM_GOES_ON;
    *node = (uint32_t)at->value;
    return SM_STAYS;
}

/* Nothing changes but its node: when it is where it was after a power of two of reads, it stays. */
enum sm_stays sm_idle_stays(const struct sm_machine *machine, uint32_t thread)
{
    uint32_t node = sm_local_resolve(machine->threads[thread].node), before = node;
    bool idle = sm_local_at(node)->kind == SM_LOCAL_IDLE;
    for (uint32_t i = 1, next = 1; i < MOST_READS; i++) {
        enum sm_stays stays = go_on(machine, &node, idle);
        if (stays != SM_STAYS || node == before)
            return stays;
        if (i != next)
            continue;
        before = node;
        next *= 2;
    }
    return SM_STAYS_UNSURE;
}
