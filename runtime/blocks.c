#include "runtime/blocks.h"

#include "base/sys.h"
#include "base/table.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/heap.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

struct stacks {
    uint32_t allocated, freed; /* 0: it was not */
};

static struct sm_table blocks; /* start -> struct stacks */
static bool notes, whole;

void sm_blocks_start(void)
{
    sm_table_clear(&blocks);
    notes = sm_option(memory) && sm_engine->records;
    whole = notes && sm_option(record);
    /* Where executions are enumerated, addresses must depend on the thread itself, not on when
       another one frees. */
    sm_heap_hold_all(!sm_engine->reuses_memory);
}

/* A note: the caller, with the thread in the bits above. */
enum { PC_BITS = 48 };

static uint64_t note_of(const void *pc)
{
    return ((uintptr_t)pc - 1) | (uint64_t)sm_running()->id << PC_BITS;
}

static struct stacks *stacks_of(const void *block)
{
    struct stacks **place = (struct stacks **)sm_table_at(&blocks, (uintptr_t)block);
    if (!*place)
        *place = sm_alloc(sizeof **place);
    return *place;
}

void sm_blocks_allocated(const void *block, const void *pc)
{
    if (!notes)
        return;
    *sm_heap_note(block) = (struct sm_heap_note){.allocated = note_of(pc)};
    if (whole)
        *stacks_of(block) = (struct stacks){.allocated = sm_stack_now()};
}

/* Without control, or by a thread that a constructor created, a block is allocated by libc. */
static bool has_note(const void *block)
{
    return notes && sm_heap_owns(block);
}

void sm_blocks_freed(const void *block, const void *pc)
{
    if (!has_note(block))
        return;
    sm_heap_note(block)->freed = note_of(pc);
    if (whole) /* a block from before main has no stacks yet */
        stacks_of(block)->freed = sm_stack_now();
}

static struct sm_harm_place place_of(enum sm_role role, uint64_t note, uint32_t stack)
{
    return (struct sm_harm_place){.role = role,
                                  .thread = (uint32_t)(note >> PC_BITS),
                                  .stack = stack,
                                  .pc = note & ((1ul << PC_BITS) - 1)};
}

uint32_t sm_blocks_places(uintptr_t start, struct sm_harm_place places[SM_BLOCK_PLACES])
{
    static const struct stacks unknown;
    const struct stacks *stacks = sm_table_get(&blocks, start);
    const struct sm_heap_note *note =
        has_note((const void *)start) ? sm_heap_note((const void *)start) : NULL;
    uint32_t n = 0;
    stacks = stacks ? stacks : &unknown;
    if (note && note->allocated) /* not if it is from before main */
        places[n++] = place_of(SM_ROLE_ALLOCATED, note->allocated, stacks->allocated);
    if (note && note->freed)
        places[n++] = place_of(SM_ROLE_FREED, note->freed, stacks->freed);
    return n;
}
