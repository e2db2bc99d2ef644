#include "verify/trees/local.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "verify/pool.h"

enum { FIRST_TREE_NODES = 256 };

struct sm_forest *sm_forest;

static size_t slots_size(void)
{
    return 2 * sm_forest->capacity * sizeof *sm_forest->slots;
}

void sm_local_start(void)
{
    sm_forest = sm_pool_get(sizeof *sm_forest);
    *sm_forest = (struct sm_forest){.capacity = FIRST_TREE_NODES};
    sm_forest->nodes = sm_pool_get(FIRST_TREE_NODES * sizeof *sm_forest->nodes);
    sm_forest->slots = sm_pool_get(slots_size());
    sm_local_clear();
}

static uint32_t *slot(uint32_t parent, uint64_t answer)
{
    uint64_t hash = (answer ^ (uint64_t)parent << 32) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(hash >> 40);
    for (;; i++) {
        uint32_t *at = &sm_forest->slots[i & (2 * sm_forest->capacity - 1)];
        const struct sm_local *node = &sm_forest->nodes[*at];
        if (!*at || (node->parent == parent && node->answer == answer))
            return at;
    }
}

static void grow(void)
{
    sm_pool_put(sm_forest->slots, slots_size());
    sm_forest->nodes =
        sm_pool_double(sm_forest->nodes, sm_forest->capacity * sizeof *sm_forest->nodes);
    sm_forest->capacity *= 2;
    sm_forest->slots = memset(sm_pool_get(slots_size()), 0, slots_size());
    for (uint32_t i = sm_local_root() + 1; i < sm_forest->n; i++)
        *slot(sm_forest->nodes[i].parent, sm_forest->nodes[i].answer) = i;
}

static uint32_t add(uint32_t parent, uint64_t answer)
{
    if (sm_forest->n == sm_forest->capacity)
        grow();
    sm_forest->nodes[sm_forest->n] = (struct sm_local){.parent = parent, .answer = answer};
    return sm_forest->n++;
}

void sm_local_clear(void)
{
    memset(sm_forest->slots, 0, slots_size());
    sm_forest->n = 0;
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

uint32_t sm_local_root(void)
{
    return 1;
}

uint32_t sm_local_count(void)
{
    return sm_forest->n - 1;
}

/* Its answer is irrelevant. */
static bool has_one_answer(const struct sm_local *node)
{
    return node->kind == SM_LOCAL_WRITE || node->kind == SM_LOCAL_FENCE ||
           node->kind == SM_LOCAL_RELEASE;
}

uint32_t sm_local_find(uint32_t node, uint64_t answer)
{
    const struct sm_local *at = sm_local_at(node);
    uint32_t found = has_one_answer(at) ? at->first_child : *slot(node, answer);
    return found ? sm_local_resolve(found) : 0;
}

uint32_t sm_local_child(uint32_t node, uint64_t answer)
{
    uint32_t found = sm_local_find(node, answer);
    if (found)
        return found;
    uint32_t child = add(node, answer);
    *slot(node, answer) = child;
    struct sm_local *parent = &sm_forest->nodes[node], *new = &sm_forest->nodes[child];
    bool born = parent->kind == SM_LOCAL_SPAWN && answer == SM_LOCAL_BORN;
    new->thread = born ? (uint8_t)parent->value : parent->thread;
    new->depth = born ? 0 : parent->depth + 1;
    new->sibling = parent->first_child;
    parent->first_child = child;
    return child;
}

/* Up to the creation of the thread: it makes no writes as its creator. */
static uint16_t count_writes(uint32_t node, uint16_t loc)
{
    uint16_t n = 0;
    uint8_t thread = sm_forest->nodes[node].thread;
    for (uint32_t p = sm_forest->nodes[node].parent; p && sm_forest->nodes[p].thread == thread;
         p = sm_forest->nodes[p].parent)
        n += sm_local_writes(&sm_forest->nodes[p]) && sm_forest->nodes[p].loc == loc;
    return n;
}

void sm_local_learn(uint32_t node, const struct sm_local *event)
{
    struct sm_local *at = &sm_forest->nodes[node], was = *at;
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
    bool done = !(rmw->flags & SM_LOCAL_FAILS) && sm_rmw_apply(&event, read);
    *written = event.value;
    return done;
}
