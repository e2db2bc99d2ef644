#include "local.h"

#include <string.h>

#include "../runtime/model/memory.h"
#include "../runtime/module.h"
#include "../runtime/sys.h"
#include "pool.h"

enum { FIRST_NODES = 256 };

/* Slots, twice as many as nodes, find a child by its parent and its answer: a read may have had
   hundreds of answers. */
static struct forest {
    struct sm_local *nodes;
    uint32_t n, capacity;
    uint32_t *slots; /* 0: empty */
} *forest;

static size_t slots_size(void)
{
    return 2 * forest->capacity * sizeof *forest->slots;
}

void sm_local_start(void)
{
    forest = sm_pool_get(sizeof *forest);
    *forest = (struct forest){.capacity = FIRST_NODES};
    forest->nodes = sm_pool_get(FIRST_NODES * sizeof *forest->nodes);
    forest->slots = sm_pool_get(slots_size());
    sm_local_clear();
}

static uint32_t *slot(uint32_t parent, uint64_t answer)
{
    uint64_t hash = (answer ^ (uint64_t)parent << 32) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(hash >> 40);
    for (;; i++) {
        uint32_t *at = &forest->slots[i & (2 * forest->capacity - 1)];
        const struct sm_local *node = &forest->nodes[*at];
        if (!*at || (node->parent == parent && node->answer == answer))
            return at;
    }
}

static void grow(void)
{
    sm_pool_put(forest->slots, slots_size());
    forest->nodes = sm_pool_double(forest->nodes, forest->capacity * sizeof *forest->nodes);
    forest->capacity *= 2;
    forest->slots = memset(sm_pool_get(slots_size()), 0, slots_size());
    for (uint32_t i = sm_local_root() + 1; i < forest->n; i++)
        *slot(forest->nodes[i].parent, forest->nodes[i].answer) = i;
}

static uint32_t add(uint32_t parent, uint64_t answer)
{
    if (forest->n == forest->capacity)
        grow();
    forest->nodes[forest->n] = (struct sm_local){.parent = parent, .answer = answer};
    return forest->n++;
}

void sm_local_clear(void)
{
    memset(forest->slots, 0, slots_size());
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

uint32_t sm_local_find(uint32_t node, uint64_t answer)
{
    uint32_t found = *slot(node, answer);
    return found ? sm_local_resolve(found) : 0;
}

uint32_t sm_local_child(uint32_t node, uint64_t answer)
{
    uint32_t found = sm_local_find(node, answer);
    if (found)
        return found;
    uint32_t child = add(node, answer);
    *slot(node, answer) = child;
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
