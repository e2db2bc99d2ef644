#include "verify/states/conflicts.h"

#include "core/conflict.h"

static bool is_access(const struct sm_local *node)
{
    return node->kind == SM_LOCAL_READ || sm_local_writes(node);
}

/* Volatile accesses are coherent, but race. */
static bool is_atomic(const struct sm_local *node)
{
    return !sm_local_is_plain(node) && !(node->flags & SM_LOCAL_NOT_ATOMIC);
}

/* Of an access with its answer: a compare-exchange that fails writes nothing. */
static unsigned access_kind(const struct sm_local *node, uint64_t answer)
{
    uint64_t written;
    bool writes = node->kind == SM_LOCAL_WRITE ||
                  (node->kind == SM_LOCAL_RMW && sm_local_apply(node, answer, &written));
    return (writes ? SM_ACCESS_WRITE : 0u) | (is_atomic(node) ? SM_ACCESS_ATOMIC : 0u);
}

static bool is_conflict(const struct sm_local *past, uint64_t answer, const struct sm_local *now,
                        unsigned kind)
{
    return past->loc == now->loc && is_access(past) &&
           sm_conflicts(access_kind(past, answer), kind);
}

void sm_conflicts_find(const struct sm_machine *machine, const struct sm_move *step,
                       void (*each)(const struct sm_conflict *conflict, void *context),
                       void *context)
{
    uint32_t here = machine->threads[step->thread].node;
    const struct sm_local *now = sm_local_at(here);
    const uint16_t *known = machine->threads[step->thread].now.hb;
    if (!is_access(now))
        return;
    unsigned kind = access_kind(now, step->answer);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t child = t == step->thread ? 0 : machine->threads[t].node, at;
        for (; child && (at = sm_local_at(child)->parent); child = at) {
            const struct sm_local *past = sm_local_at(at);
            if (past->thread != t || past->state <= known[t])
                break;
            if (is_conflict(past, sm_local_at(child)->answer, now, kind))
                each(&(struct sm_conflict){at, here}, context);
        }
    }
}

void sm_conflicts_next(const struct sm_machine *machine, const struct sm_move *step,
                       void (*each)(const struct sm_conflict *conflict, void *context),
                       void *context)
{
    uint32_t here = machine->threads[step->thread].node;
    const struct sm_local *past = sm_local_at(here);
    uint64_t newest;
    if (!is_access(past))
        return;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t next = sm_local_resolve(machine->threads[t].node);
        const struct sm_local *now = sm_local_at(next);
        if (t == step->thread || !next || !is_access(now) || now->loc != past->loc)
            continue;
        sm_machine_newest(machine, now->loc, &newest);
        if (is_conflict(past, step->answer, now, access_kind(now, newest)))
            each(&(struct sm_conflict){here, next}, context);
    }
}

static uint8_t event_kind(const struct sm_local *node)
{
    bool atomic = is_atomic(node);
    if (node->kind == SM_LOCAL_RMW)
        return SM_EV_RMW;
    if (node->kind == SM_LOCAL_WRITE)
        return atomic ? SM_EV_ATOMIC_STORE : SM_EV_STORE;
    return atomic ? SM_EV_ATOMIC_LOAD : SM_EV_LOAD;
}

struct sm_race_access sm_conflict_access(uint32_t number)
{
    const struct sm_local *node = sm_local_at(number);
    return (struct sm_race_access){.kind = event_kind(node),
                                   .order = is_atomic(node) ? node->order : SM_ORDER_PLAIN,
                                   .size = node->size,
                                   .thread = node->thread,
                                   .site = node->site,
                                   .parent = SM_NO_THREAD,
                                   .value = node->value};
}
