#include "runtime/stack.h"

#include <string.h>

#include "base/random.h"
#include "base/sys.h"
#include "base/table.h"
#include "runtime/control.h"
#include "runtime/region.h"

enum { DEPTH = 32 };

struct stack {
    uint32_t number, depth;
    uint32_t exported;  /* its number in the control block; 0: not there */
    struct stack *next; /* with the same hash */
    uint64_t pc[];
};

static bool switched; /* see sm_stack_switched */
static struct sm_table by_hash;
static struct stack **by_number;
static uint32_t n_stacks, capacity;
static struct stack *recent[61]; /* by the innermost program counter */

void sm_stack_start(void)
{
    sm_table_clear(&by_hash);
    if (n_stacks)
        memset(recent, 0, sizeof recent);
    n_stacks = 0;
    switched = false;
    sm_control->n_calls = 0;
}

/* An address in this library's own code: in the mapping of this function. */
static bool is_ours(uintptr_t pc)
{
    static uintptr_t start, end;
    if (!end)
        sm_region_bounds((uintptr_t)sm_stack_walk, &start, &end);
    return pc >= start && pc < end;
}

/* Code without frame pointers, such as libc's, uses the register for something else: any value may
   come here, and only the stack itself may be read. */
static bool is_frame(uintptr_t frame, uintptr_t low, uintptr_t high)
{
    return frame >= low && frame < high && high - frame >= 16 && frame % 8 == 0;
}

uint32_t sm_stack_walk(const struct sm_thread *thread, uintptr_t pc, uintptr_t frame, uint64_t *to,
                       uint32_t limit)
{
    uint32_t depth = 0;
    uintptr_t low = (uintptr_t)thread->stack_low, high = low + thread->stack_size;
    if (pc && limit && !is_ours(pc))
        to[depth++] = pc;
    while (depth < limit && is_frame(frame, low, high)) {
        uintptr_t next = ((uintptr_t *)frame)[0], back = ((uintptr_t *)frame)[1];
        if (!back)
            break;
        bool known = depth == 1 && to[0] == pc && pc == back - 1; /* the call that pc is in */
        if (!is_ours(back) && !known)
            to[depth++] = back - 1; /* inside the call, not after it */
        if (next <= frame)
            break;
        frame = next;
    }
    return depth;
}

void sm_stack_switched(void)
{
    switched = true;
}

uintptr_t sm_stack_pointer(const struct sm_thread *thread, const struct sm_event *event)
{
    uintptr_t low = (uintptr_t)thread->stack_low, high = low + thread->stack_size;
    if (event && event->frame)
        return !switched && event->frame - low < thread->stack_size ? event->frame : 0;
    uintptr_t frame =
        thread == sm_running() ? (uintptr_t)__builtin_frame_address(0) : thread->frame;
    while (!switched && is_frame(frame, low, high)) {
        uintptr_t next = ((uintptr_t *)frame)[0], back = ((uintptr_t *)frame)[1];
        if (!is_ours(back))
            return frame + 16;
        if (next <= frame)
            break;
        frame = next;
    }
    return 0;
}

static bool is_same(const struct stack *stack, const uint64_t *pc, uint32_t depth)
{
    uint32_t i = 0;
    while (stack->depth == depth && i < depth && stack->pc[i] == pc[i])
        i++;
    return i == depth;
}

static struct stack *add(struct stack *chain, const uint64_t *pc, uint32_t depth)
{
    if (n_stacks + 1 >= capacity) {
        uint32_t larger = capacity ? capacity * 2 : 256;
        struct stack **copy = sm_alloc(larger * sizeof *copy);
        if (by_number) {
            memcpy(copy, by_number, capacity * sizeof *copy);
            sm_free(by_number, capacity * sizeof *by_number);
        }
        by_number = copy;
        capacity = larger;
    }
    struct stack *stack = sm_alloc(sizeof *stack + depth * sizeof *pc);
    stack->number = ++n_stacks;
    stack->depth = depth;
    stack->exported = 0;
    stack->next = chain;
    memcpy(stack->pc, pc, depth * sizeof *pc);
    by_number[n_stacks] = stack;
    return stack;
}

uint32_t sm_stack_keep(const uint64_t *pc, uint32_t depth)
{
    uint64_t hash = depth;
    for (uint32_t i = 0; i < depth; i++)
        hash = (hash << 7 | hash >> 57) + pc[i] * 0x9e3779b97f4a7c15u;
    void **place = sm_table_at(&by_hash, sm_random_mix(hash) | 1);
    for (struct stack *stack = *place; stack; stack = stack->next)
        if (is_same(stack, pc, depth))
            return stack->number;
    struct stack *stack = add(*place, pc, depth);
    *place = stack;
    return stack->number;
}

/* Most stacks were seen a moment ago: comparing takes half the time of looking them up. */
static uint32_t keep_recent(const uint64_t *pc, uint32_t depth)
{
    struct stack **place = &recent[pc[0] % SM_ARRAY_SIZE(recent)];
    if (*place && is_same(*place, pc, depth))
        return (*place)->number;
    uint32_t number = sm_stack_keep(pc, depth);
    *place = by_number[number];
    return number;
}

static uint32_t number_from(uintptr_t frame)
{
    uint64_t pc[DEPTH];
    uint32_t depth = sm_stack_walk(sm_running(), 0, frame, pc, DEPTH);
    return depth ? keep_recent(pc, depth) : sm_stack_keep(pc, 0);
}

uint32_t sm_stack_now(void)
{
    return number_from((uintptr_t)__builtin_frame_address(0));
}

/* The hook's own frame is below the program's stack pointer: its frame pointer, then the return
   address. */
uint32_t sm_stack_at(const struct sm_event *event)
{
    return number_from(event->frame ? event->frame - 16 : (uintptr_t)__builtin_frame_address(0));
}

const uint64_t *sm_stack_get(uint32_t number, uint32_t *depth)
{
    if (number == 0 || number > n_stacks) {
        *depth = 0;
        return NULL;
    }
    *depth = by_number[number]->depth;
    return by_number[number]->pc;
}

uint32_t sm_stack_export(uint32_t number)
{
    struct stack *stack = number && number <= n_stacks ? by_number[number] : NULL;
    if (!stack || !stack->depth || stack->exported || sm_control->n_calls == SM_MAX_CALLS)
        return stack ? stack->exported : 0;
    struct sm_call_stack *call = &sm_control->calls[sm_control->n_calls++];
    call->depth = stack->depth < SM_CALL_DEPTH ? stack->depth : SM_CALL_DEPTH;
    memcpy(call->pc, stack->pc, call->depth * sizeof *call->pc);
    return stack->exported = (uint32_t)sm_control->n_calls;
}
