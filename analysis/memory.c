/*
 * The memory analysis of controlled executions: accesses to heap memory outside of live blocks.
 *
 * The heap knows for each address whether it is in a live block, in a freed one, or in none
 * (runtime/heap.h), so an access needs one lookup and no state is kept here. Exact for what is
 * seen, except for blocks that have been reused. Likewise for accesses to the stack of a thread
 * that has ended: each thread has its own stack, which is not reused. Memory below the stack
 * pointer of a thread belongs to functions that have returned. In a program that switches stacks
 * itself the stack pointer is not known (runtime/stack.h).
 *
 * Not where executions are enumerated: there freed blocks are never reused, accesses of a graph
 * may come before the allocation, and frees are in the graph (verify/run/frees.h).
 */
#include "analysis/memory.h"

#include "analysis/leaks.h"
#include "base/layout.h"
#include "base/sys.h"
#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/harm.h"
#include "runtime/heap.h"
#include "runtime/stack.h"
#include "runtime/thread.h"
#include "runtime/thread_local.h"
#include "runtime/trace.h"

static bool start(void)
{
    return sm_option(memory) && sm_engine->reuses_memory;
}

static const char *verb_of(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_ATOMIC_LOAD:
        return "read";
    case SM_EV_STORE:
    case SM_EV_ATOMIC_STORE:
        return "write";
    default:
        return "update";
    }
}

uint32_t sm_memory_places(uintptr_t addr, struct sm_harm_place places[SM_BLOCK_PLACES])
{
    uintptr_t start;
    size_t size;
    return sm_heap_look(addr, &start, &size) == SM_HEAP_BAD ? 0 : sm_blocks_places(start, places);
}

void sm_memory_report_freed(const struct sm_event *event)
{
    struct sm_harm_place places[SM_BLOCK_PLACES];
    uintptr_t start = event->addr;
    size_t size = 0;
    sm_heap_look(event->addr, &start, &size);
    sm_harm(SM_FAILURE_USE_AFTER_FREE, event->addr, places, sm_blocks_places(start, places),
            "%s of %u bytes at offset %lu of a freed block of %lu bytes", verb_of(event),
            event->size, event->addr - start, size);
}

/* The gap after a block belongs to the next block where that is nearer. */
static void report_outside(const struct sm_event *event, uintptr_t start, size_t size)
{
    struct sm_harm_place places[SM_BLOCK_PLACES];
    uintptr_t next, after = event->addr - (start + size), before = 0;
    size_t next_size;
    for (uintptr_t at = event->addr; !before && at < event->addr + after; at++)
        if (sm_heap_look(at + 1, &next, &next_size) == SM_HEAP_LIVE && next == at + 1)
            before = at + 1 - event->addr;
    if (before)
        sm_harm(SM_FAILURE_HEAP_OVERFLOW, event->addr, places, sm_blocks_places(next, places),
                "%s of %u bytes %lu bytes before a block of %lu bytes", verb_of(event), event->size,
                before, next_size);
    else
        sm_harm(SM_FAILURE_HEAP_OVERFLOW, event->addr, places, sm_blocks_places(start, places),
                "%s of %u bytes %lu bytes after a block of %lu bytes", verb_of(event), event->size,
                after, size);
}

bool sm_memory_is_wrong(const struct sm_event *event)
{
    return sm_heap_owns((const void *)event->addr) && !sm_heap_has(event->addr, event->size);
}

void sm_memory_report(const struct sm_event *event)
{
    uintptr_t start = 0;
    size_t size = 0;
    enum sm_heap_state state = sm_heap_look(event->addr, &start, &size);
    if (state == SM_HEAP_FREED && event->addr - start + event->size <= size) {
        sm_memory_report_freed(event);
        return;
    }
    sm_trace_forget_value(event);
    if (state != SM_HEAP_BAD)
        report_outside(event, start, size);
    else
        sm_harm(SM_FAILURE_HEAP_OVERFLOW, event->addr, NULL, 0,
                "%s of %u bytes outside of any block", verb_of(event), event->size);
}

/* Reads by memcpy and the like, and pieces of wide values, are copies; so is what a store to a
   bit-field keeps. */
static bool is_direct(const struct sm_event *event)
{
    return (event->kind == SM_EV_LOAD || event->kind == SM_EV_ATOMIC_LOAD) && event->site &&
           event->site->size == event->size && event->site->use != SM_VALUE_MERGED;
}

void sm_memory_check_written(const struct sm_event *event)
{
    if (!sm_option(uninitialised) || !is_direct(event) ||
        !sm_heap_owns((const void *)event->addr) ||
        !sm_heap_is_filled(event->addr, event->size, event->value))
        return;
    struct sm_harm_place places[SM_BLOCK_PLACES];
    uintptr_t start = event->addr;
    size_t size = 0;
    sm_heap_look(event->addr, &start, &size);
    sm_harm(SM_FAILURE_UNINITIALISED, event->addr, places, sm_blocks_places(start, places),
            "read of %u bytes at offset %lu of a block of %lu bytes that nobody wrote", event->size,
            event->addr - start, size);
}

/* ---- stacks ---- */

/* After very many threads their slots are reused: then nothing is reported. */
static const struct sm_thread *stack_owner(uintptr_t addr)
{
    enum { STACK_SLOTS = (SM_REGION_MAPS - SM_REGION_STACK) / SM_REGION_STACK_STRIDE };
    uintptr_t number = (addr - SM_REGION_STACK) / SM_REGION_STACK_STRIDE;
    return number < STACK_SLOTS && sm_thread_count() <= STACK_SLOTS
               ? sm_thread_by_id((uint32_t)number)
               : NULL;
}

static bool is_own(const struct sm_thread *thread, uintptr_t addr)
{
    return addr - (uintptr_t)thread->stack_low < thread->stack_size;
}

static void report_ended(const struct sm_event *event, const struct sm_thread *owner)
{
    struct sm_harm_place created = {
        .role = SM_ROLE_CREATED, .thread = owner->parent, .pc = owner->created_at};
    struct sm_thread_local variable;
    if (sm_thread_local_find(owner, event->addr, &variable))
        sm_harm(SM_FAILURE_STACK_USE, event->addr, &created, 1,
                "%s of %u bytes of {local %lx %lx}thread-local memory of a thread that has ended",
                verb_of(event), event->size, variable.inside, variable.offset);
    else
        sm_harm(SM_FAILURE_STACK_USE, event->addr, &created, 1,
                "%s of %u bytes on the stack of a thread that has ended", verb_of(event),
                event->size);
}

/* Frames of later calls at the same place are not distinguished from the function's. */
void sm_memory_report_returned(const struct sm_event *event)
{
    sm_harm(SM_FAILURE_STACK_USE, event->addr, NULL, 0,
            "%s of %u bytes on the stack of a function that has returned", verb_of(event),
            event->size);
}

static bool is_below(const struct sm_event *event, const struct sm_thread *owner)
{
    return is_own(owner, event->addr) &&
           event->addr < sm_stack_pointer(owner, owner == event->thread ? event : owner->pending);
}

static bool is_on_stack(const struct sm_event *event)
{
    return event->addr - SM_REGION_STACK < SM_REGION_MAPS - SM_REGION_STACK;
}

void sm_memory_check_frames(const struct sm_event *event)
{
    if (SM_LIKELY(!is_on_stack(event)))
        return;
    const struct sm_thread *owner = stack_owner(event->addr);
    if (is_below(event, event->thread))
        sm_memory_report_returned(event);
    else if (owner && owner->joined && owner->joined_by == event->thread->id)
        report_ended(event, owner);
}

static void check_stack(const struct sm_event *event)
{
    const struct sm_thread *owner =
        is_own(event->thread, event->addr) ? event->thread : stack_owner(event->addr);
    if (owner && owner->state == SM_THREAD_ENDED)
        report_ended(event, owner);
    else if (owner && is_below(event, owner))
        sm_memory_report_returned(event);
}

static void on_access(const struct sm_event *event)
{
    if (SM_UNLIKELY(sm_memory_is_wrong(event)))
        sm_memory_report(event);
    else if (SM_UNLIKELY(is_on_stack(event)))
        check_stack(event);
    if (SM_UNLIKELY(sm_option(uninitialised)))
        sm_memory_check_written(event);
}

static const uint64_t ACCESSES = 1ul << SM_EV_LOAD | 1ul << SM_EV_STORE | 1ul << SM_EV_ATOMIC_LOAD |
                                 1ul << SM_EV_ATOMIC_STORE | 1ul << SM_EV_RMW |
                                 1ul << SM_EV_CAS_FAIL;

const struct sm_analysis sm_analysis_memory = {
    .name = "memory",
    .start = start,
    .event = on_access,
    .end = sm_leaks_look,
    .ignored = ~ACCESSES,
};
