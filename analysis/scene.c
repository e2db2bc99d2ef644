#include "analysis/scene.h"

#include "base/random.h"
#include "base/sys.h"
#include "base/table.h"
#include "runtime/blocks.h"
#include "runtime/heap.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

/* Not of the heap, whose blocks have notes (runtime/blocks.h). */
struct allocated_block {
    uint64_t size;
    uint32_t thread, stack;
};

/* Threads are keyed by number + 1, because 0 is no key. */
static struct sm_table locks;   /* thread -> struct sm_held */
static struct sm_table nodes;   /* hash -> struct sm_held */
static struct sm_table parents; /* thread -> 1 + its creator */
static struct sm_table created; /* thread -> number of the stack of its creation */
static struct sm_table blocks;  /* start -> struct allocated_block */

void sm_scene_start(void)
{
    sm_table_clear(&locks);
    sm_table_clear(&nodes);
    sm_table_clear(&parents);
    sm_table_clear(&created);
    sm_table_clear(&blocks);
}

/* ---- locks ---- */

static const struct sm_held *with(const struct sm_held *below, uintptr_t lock, uintptr_t pc)
{
    uint64_t hash = sm_random_mix(sm_random_mix((uintptr_t)below ^ lock) ^ pc);
    struct sm_held **list = (struct sm_held **)sm_table_at(&nodes, hash | 1);
    for (const struct sm_held *held = *list; held; held = held->next)
        if (held->below == below && held->lock == lock && held->pc == pc)
            return held;
    struct sm_held *held = sm_alloc(sizeof *held);
    *held = (struct sm_held){below, *list, lock, pc};
    *list = held;
    return held;
}

/* A lock may be taken several times: removes the last of them. */
static const struct sm_held *without(const struct sm_held *held, uintptr_t lock)
{
    if (!held || held->lock == lock)
        return held ? held->below : NULL;
    const struct sm_held *below = without(held->below, lock);
    return below == held->below ? held : with(below, held->lock, held->pc);
}

const struct sm_held *sm_scene_locks(uint32_t thread)
{
    return sm_table_get(&locks, thread + 1ul);
}

static void set_locks(uint32_t thread, const struct sm_held *held)
{
    *sm_table_at(&locks, thread + 1ul) = (void *)held;
}

/* ---- events ---- */

static void note_creation(uint32_t parent, uint32_t thread)
{
    *sm_table_at(&parents, thread + 1ul) = (void *)(parent + 1ul);
    *sm_table_at(&created, thread + 1ul) = (void *)(uintptr_t)sm_stack_now();
}

static void note_allocation(const struct sm_event *event)
{
    if (sm_heap_owns((const void *)event->addr))
        return;
    struct allocated_block **block = (struct allocated_block **)sm_table_at(&blocks, event->addr);
    if (!*block)
        *block = sm_alloc(sizeof **block);
    **block = (struct allocated_block){event->old, event->thread->id, sm_stack_now()};
}

void sm_scene_event(const struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    switch (event->kind) {
    case SM_EV_LOCK:
    case SM_EV_READ_LOCK:
    case SM_EV_WRITE_LOCK:
        set_locks(thread, with(sm_scene_locks(thread), event->addr, event->pc - 1));
        break;
    case SM_EV_UNLOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_UNLOCK:
        set_locks(thread, without(sm_scene_locks(thread), event->addr));
        break;
    case SM_EV_SPAWN:
        note_creation(thread, (uint32_t)event->old);
        break;
    case SM_EV_ALLOC:
        note_allocation(event);
        break;
    default:
        break;
    }
}

/* ---- reports ---- */

static uint32_t copy_stack(uint64_t *to, uint32_t number)
{
    uint32_t depth;
    const uint64_t *stack = sm_stack_get(number, &depth);
    if (depth > SM_RACE_DEPTH)
        depth = SM_RACE_DEPTH;
    for (uint32_t i = 0; i < depth; i++)
        to[i] = stack[i];
    return depth;
}

void sm_scene_access(struct sm_race_access *to, const struct sm_held *held)
{
    uintptr_t parent = (uintptr_t)sm_table_get(&parents, to->thread + 1ul);
    uintptr_t stack = (uintptr_t)sm_table_get(&created, to->thread + 1ul);
    to->parent = parent ? (uint32_t)(parent - 1) : SM_NO_THREAD;
    to->created_depth = copy_stack(to->created, (uint32_t)stack);
    for (to->n_locks = 0; held && to->n_locks < SM_RACE_LOCKS; held = held->below)
        to->locks[to->n_locks++] = (struct sm_race_lock){held->lock, held->pc};
}

static void describe_note(struct sm_race_block *to, uintptr_t start)
{
    struct sm_harm_place places[SM_BLOCK_PLACES];
    uintptr_t same;
    size_t size;
    if (!sm_blocks_places(start, places) || places[0].role != SM_ROLE_ALLOCATED ||
        sm_heap_look(start, &same, &size) == SM_HEAP_BAD)
        return;
    to->start = start;
    to->size = size;
    to->thread = places[0].thread;
    to->depth = copy_stack(to->stack, places[0].stack);
}

void sm_scene_block(struct sm_race_block *to, uintptr_t start)
{
    if (sm_heap_owns((const void *)start)) {
        describe_note(to, start);
        return;
    }
    const struct allocated_block *block = sm_table_get(&blocks, start);
    if (!block)
        return;
    to->start = start;
    to->size = block->size;
    to->thread = block->thread;
    to->depth = copy_stack(to->stack, block->stack);
}
