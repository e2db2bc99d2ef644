#include "local.h"

#include <string.h>

#include "../runtime/model/memory.h"
#include "../runtime/module.h"
#include "../runtime/sys.h"
#include "pool.h"

enum { FIRST_NODES = 256 };

static struct forest {
    struct sm_local *nodes;
    uint32_t n, capacity;
} *forest;

void sm_local_start(void)
{
    forest = sm_pool_get(sizeof *forest);
    *forest = (struct forest){.capacity = FIRST_NODES};
    forest->nodes = sm_pool_get(FIRST_NODES * sizeof *forest->nodes);
    sm_local_clear();
}

static uint32_t add(uint32_t parent, uint64_t answer)
{
    if (forest->n == forest->capacity) {
        forest->nodes = sm_pool_double(forest->nodes, forest->capacity * sizeof *forest->nodes);
        forest->capacity *= 2;
    }
    forest->nodes[forest->n] = (struct sm_local){.parent = parent, .answer = answer};
    return forest->n++;
}

void sm_local_clear(void)
{
    forest->n = 0;
    add(0, 0); /* none */
    add(0, 0); /* the root */
}

struct sm_local sm_local_of(const struct sm_event *event, int kind, uint16_t loc)
{
    return (struct sm_local){.kind = (uint8_t)kind,
                             .order = event->order,
                             .order_fail = event->order_fail,
                             .size = event->size,
                             .op = event->op,
                             .flags = event->flags & SM_RECORD_MORE ? SM_LOCAL_AT_ONCE : 0,
                             .loc = loc,
                             .site = sm_site_number(event->site),
                             .value = event->value,
                             .old = event->old};
}

struct sm_local *sm_local_at(uint32_t node)
{
    return &forest->nodes[node];
}

uint32_t sm_local_root(void)
{
    return 1;
}

uint32_t sm_local_count(void)
{
    return forest->n - 1;
}

uint32_t sm_local_resolve(uint32_t node)
{
    const struct sm_local *at = &forest->nodes[node];
    return at->kind == SM_LOCAL_SAME ? (uint32_t)at->value : node;
}

/* The one found comes to the front: executions that follow each other differ little. */
uint32_t sm_local_find(uint32_t node, uint64_t answer)
{
    uint32_t *first = &forest->nodes[node].first_child;
    for (uint32_t *link = first; *link; link = &forest->nodes[*link].sibling) {
        uint32_t found = *link;
        if (forest->nodes[found].answer != answer)
            continue;
        *link = forest->nodes[found].sibling;
        forest->nodes[found].sibling = *first;
        *first = found;
        return sm_local_resolve(found);
    }
    return 0;
}

uint32_t sm_local_child(uint32_t node, uint64_t answer)
{
    uint32_t found = sm_local_find(node, answer);
    if (found)
        return found;
    uint32_t child = add(node, answer);
    struct sm_local *parent = &forest->nodes[node], *new = &forest->nodes[child];
    bool born = parent->kind == SM_LOCAL_SPAWN && answer == SM_LOCAL_BORN;
    new->thread = born ? (uint8_t)parent->value : parent->thread;
    new->depth = born ? 0 : parent->depth + 1;
    new->sibling = parent->first_child;
    parent->first_child = child;
    return child;
}

/* Up to where the thread was created: it writes nothing as its creator. */
static uint16_t count_writes(uint32_t node, uint16_t loc)
{
    uint16_t n = 0;
    uint8_t thread = forest->nodes[node].thread;
    for (uint32_t p = forest->nodes[node].parent; p && forest->nodes[p].thread == thread;
         p = forest->nodes[p].parent)
        n += sm_local_writes(&forest->nodes[p]) && forest->nodes[p].loc == loc;
    return n;
}

void sm_local_learn(uint32_t node, const struct sm_local *event)
{
    struct sm_local *at = &forest->nodes[node], was = *at;
    *at = *event;
    at->thread = was.thread;
    at->depth = was.depth;
    at->answer = was.answer;
    at->state = was.state;
    at->parent = was.parent;
    at->first_child = was.first_child;
    at->sibling = was.sibling;
    at->nth = sm_local_writes(at) ? count_writes(node, at->loc) : 0;
}

bool sm_local_apply(const struct sm_local *rmw, uint64_t read, uint64_t *written)
{
    struct sm_event event = {.kind = SM_EV_RMW,
                             .size = rmw->size,
                             .order = rmw->order,
                             .order_fail = rmw->order_fail,
                             .op = rmw->op,
                             .value = rmw->value,
                             .old = rmw->old};
    bool done = sm_rmw_apply(&event, read);
    *written = event.value;
    return done;
}
