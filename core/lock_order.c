#include "core/lock_order.h"

#include "base/sys.h"

static uint64_t bit_of(uint64_t key)
{
    return 1ull << (key * 0x9e3779b97f4a7c15u >> 58);
}

/* ---- shapes ---- */

static bool same_lock(struct sm_order_lock a, struct sm_order_lock b)
{
    return a.key == b.key && a.shared == b.shared;
}

static bool same_shape(const struct sm_order_shape *a, const struct sm_order_shape *b)
{
    if (a->n_held != b->n_held || a->held_bits != b->held_bits || !same_lock(a->wanted, b->wanted))
        return false;
    for (uint32_t i = 0; i < a->n_held; i++)
        if (!same_lock(a->held[i], b->held[i]))
            return false;
    return true;
}

static uint64_t bits_of(const struct sm_order_shape *shape)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < shape->n_held; i++)
        bits |= bit_of(shape->held[i].key);
    return bits;
}

static struct sm_order_shape *add_shape(struct sm_lock_order *order,
                                        const struct sm_order_shape *locks)
{
    if (order->n == SM_ORDER_SHAPES)
        return NULL;
    if (order->n == order->room)
        order->shapes = sm_alloc_larger(order->shapes, &order->room, 64, sizeof *order->shapes);
    struct sm_order_shape *shape = sm_alloc(sizeof *shape);
    *shape = *locks;
    shape->n_uses = shape->next_use = 0;
    order->shapes[order->n++] = shape;
    return shape;
}

static struct sm_order_shape *shape_of(struct sm_lock_order *order,
                                       const struct sm_order_shape *locks)
{
    struct sm_order_shape wanted = *locks;
    wanted.held_bits = bits_of(locks);
    for (uint32_t i = 0; i < order->n; i++)
        if (same_shape(order->shapes[i], &wanted))
            return order->shapes[i];
    return add_shape(order, &wanted);
}

static struct sm_order_use *add_use(struct sm_order_shape *shape, const struct sm_order_use *use,
                                    void (*replaced)(const struct sm_order_use *use))
{
    struct sm_order_use *to = &shape->uses[shape->next_use];
    shape->next_use = (shape->next_use + 1) % SM_ORDER_USES;
    if (shape->n_uses < SM_ORDER_USES)
        shape->n_uses++;
    else
        replaced(to);
    sm_clock_clear(&to->before);
    *to = *use;
    to->before = (struct sm_clock){0};
    sm_clock_copy(&to->before, &use->before);
    return to;
}

/* ---- cycles ---- */

/* Do both hold a common lock, so that they cannot be in progress at the same time? */
static bool have_gate(const struct sm_order_shape *a, const struct sm_order_shape *b)
{
    if (!(a->held_bits & b->held_bits))
        return false;
    for (uint32_t i = 0; i < a->n_held; i++)
        for (uint32_t k = 0; k < b->n_held; k++)
            if (a->held[i].key == b->held[k].key && !(a->held[i].shared && b->held[k].shared))
                return true;
    return false;
}

static bool is_before(const struct sm_order_use *a, const struct sm_order_use *b)
{
    return sm_clock_get(&b->before, a->slot) >= a->time;
}

static bool may_meet(const struct sm_order_step *a, const struct sm_order_step *b)
{
    return a->use->thread != b->use->thread && !have_gate(a->shape, b->shape) &&
           !is_before(a->use, b->use) && !is_before(b->use, a->use);
}

static bool fits(const struct sm_order_cycle *cycle, const struct sm_order_step *step)
{
    for (uint32_t i = 0; i < cycle->n; i++)
        if (!may_meet(&cycle->steps[i], step))
            return false;
    return true;
}

/* Is the wanted lock held here, in a mode that blocks? */
static bool blocks(const struct sm_order_shape *wants, const struct sm_order_shape *holds,
                   uint32_t *which)
{
    for (uint32_t i = 0; i < holds->n_held; i++)
        if (holds->held[i].key == wants->wanted.key &&
            !(holds->held[i].shared && wants->wanted.shared)) {
            *which = i;
            return true;
        }
    return false;
}

struct search {
    const struct sm_lock_order *order;
    struct sm_order_cycle *cycle;
    uint32_t longest;
    uint32_t scans; /* remaining: a graph of many locks has many paths */
};

static bool extend(struct search *search);

static bool extend_by(struct search *search, const struct sm_order_shape *shape, uint32_t holds)
{
    struct sm_order_cycle *cycle = search->cycle;
    for (uint32_t i = 0; i < shape->n_uses; i++) {
        struct sm_order_step step = {shape, &shape->uses[i], holds};
        if (!fits(cycle, &step))
            continue;
        cycle->steps[cycle->n++] = step;
        if (extend(search))
            return true;
        cycle->n--;
    }
    return false;
}

static bool extend(struct search *search)
{
    struct sm_order_cycle *cycle = search->cycle;
    const struct sm_order_shape *last = cycle->steps[cycle->n - 1].shape;
    uint32_t holds;
    if (cycle->n == search->longest)
        return blocks(last, cycle->steps[0].shape, &cycle->steps[0].holds);
    if (!search->scans)
        return false;
    search->scans--;
    uint64_t bit = bit_of(last->wanted.key);
    for (uint32_t i = 0; i < search->order->n; i++) {
        const struct sm_order_shape *shape = search->order->shapes[i];
        if ((shape->held_bits & bit) && blocks(last, shape, &holds) &&
            extend_by(search, shape, holds))
            return true;
    }
    return false;
}

static bool find_cycle(const struct sm_lock_order *order, struct sm_order_step first,
                       struct sm_order_cycle *cycle)
{
    enum { SCANS = 256 };
    struct search search = {.order = order, .cycle = cycle, .scans = SCANS};
    for (search.longest = 2; search.longest <= SM_ORDER_LONGEST; search.longest++) {
        cycle->n = 1;
        cycle->steps[0] = first;
        if (extend(&search))
            return true;
    }
    return false;
}

enum sm_order_result sm_lock_order_add(struct sm_lock_order *order,
                                       const struct sm_order_shape *locks,
                                       const struct sm_order_use *use,
                                       void (*replaced)(const struct sm_order_use *use),
                                       struct sm_order_cycle *cycle)
{
    struct sm_order_shape *shape = shape_of(order, locks);
    if (!shape)
        return SM_ORDER_FULL;
    struct sm_order_step first = {shape, add_use(shape, use, replaced), 0};
    return find_cycle(order, first, cycle) ? SM_ORDER_CYCLE : SM_ORDER_NEW;
}
