#include "verify/run/script.h"

#include "base/sys.h"
#include "runtime/choice.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/order.h"
#include "verify/pool.h"
#include "verify/run/misuses.h"

static struct script {
    struct sm_graph target;
    uint32_t *moments; /* of the target (axioms.h), in order */
    uint32_t length, cursor;
    uint32_t wanted;
} *script;

void sm_script_start(void)
{
    script = sm_pool_get(sizeof *script);
    *script = (struct script){0};
}

void sm_script_begin(void)
{
    struct sm_graph empty;
    sm_graph_init(&empty);
    script->target = *sm_graph_now();
    *sm_graph_now() = empty;
    script->moments = sm_pool_get((2 * script->target.n + 1) * sizeof *script->moments);
    struct sm_misuses misuse = sm_misuses_find(&script->target);
    script->length = sm_order_find(&script->target, misuse.first, misuse.second, script->moments);
    SM_ASSERT(script->length || !script->target.n);
    script->cursor = 0;
}

void sm_script_end(void)
{
    sm_pool_put(script->moments, (2 * script->target.n + 1) * sizeof *script->moments);
    sm_graph_free(sm_graph_now());
    *sm_graph_now() = script->target;
}

uint32_t sm_script_thread(void)
{
    for (uint32_t i = script->cursor; i < script->length; i++)
        if (!(script->moments[i] & 1))
            return script->target.nodes[script->moments[i] / 2].thread;
    return SM_NO_NODE;
}

/* The node that corresponds to a node of the target: events are added in script order. */
static uint32_t follower(uint32_t target)
{
    uint32_t stamp = 0;
    for (uint32_t i = 0; target != SM_NO_NODE && i < script->cursor; i++) {
        if (script->moments[i] == 2 * target)
            return stamp;
        stamp += !(script->moments[i] & 1);
    }
    return SM_NO_NODE;
}

uint32_t sm_script_landing(void)
{
    if (sm_exploring != SM_EXPLORE_SCRIPT || script->cursor >= script->length ||
        !(script->moments[script->cursor] & 1))
        return SM_NO_NODE;
    return follower(script->moments[script->cursor] / 2);
}

void sm_script_added(void)
{
    script->cursor++;
}

void sm_script_landed(void)
{
    script->cursor += sm_exploring == SM_EXPLORE_SCRIPT;
}

uint32_t sm_script_stamp(void)
{
    if (sm_exploring != SM_EXPLORE_SCRIPT || script->cursor >= script->length)
        return SM_NO_NODE;
    return script->moments[script->cursor] / 2;
}

const struct sm_node *sm_script_node(void)
{
    uint32_t stamp = sm_script_stamp();
    return stamp == SM_NO_NODE ? NULL : &script->target.nodes[stamp];
}

uint32_t sm_script_rf(void)
{
    const struct sm_node *node = sm_script_node();
    return node ? follower(node->rf) : SM_NO_NODE;
}

uint32_t sm_script_place(void)
{
    const struct sm_node *node = sm_script_node();
    if (!node)
        return SM_NO_NODE;
    for (uint32_t w = node->mo_prev; w != SM_NO_NODE; w = script->target.nodes[w].mo_prev)
        if (follower(w) != SM_NO_NODE)
            return follower(w);
    return SM_NO_NODE;
}

uint32_t sm_script_choose(enum sm_purpose purpose, uint32_t n, uint32_t wanted)
{
    script->wanted = wanted;
    return sm_choose(purpose, n, NULL);
}

uint32_t sm_script_wanted(void)
{
    return script->wanted;
}

uint32_t sm_script_pick(enum sm_purpose purpose, const uint32_t *options, uint32_t n)
{
    const struct sm_node *node = sm_script_node();
    if (purpose == SM_PURPOSE_USER) {
        SM_ASSERT(!node || node->kind == SM_NODE_CHOICE);
        return node ? (uint32_t)node->value : 0;
    }
    uint32_t wanted = purpose == SM_PURPOSE_VALUE ? sm_script_rf() : sm_script_place(), at = 0;
    while (sm_exploring == SM_EXPLORE_SCRIPT && at + 1 < n && options[at] != wanted)
        at++;
    return sm_script_choose(purpose, n, at);
}
