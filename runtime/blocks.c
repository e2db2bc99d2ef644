#include "runtime/blocks.h"

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/heap.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

static bool notes, whole;

void sm_blocks_start(void)
{
    notes = (sm_option(memory) && sm_engine->records) || sm_option(races);
    whole = notes && (sm_option(record) || sm_option(races));
    /* Where executions are enumerated, addresses must depend on the thread itself, not on when
       another one frees. */
    sm_heap_hold_all(!sm_engine->reuses_memory);
}

/* A note: the caller, or the number of the stack, with the thread in the bits above. */
enum { PLACE_BITS = 48 };
static const uint64_t PLACE = (1ul << PLACE_BITS) - 1;

static uint32_t stack_from(uint64_t pc)
{
    uint32_t depth, number = sm_stack_now();
    sm_stack_get(number, &depth);
    return depth ? number : sm_stack_keep(&pc, 1); /* on a stack of the program's own */
}

static uint64_t note_of(const void *called)
{
    uint64_t pc = (uintptr_t)called - 1, place = whole ? stack_from(pc) : pc;
    return place | (uint64_t)sm_running()->id << PLACE_BITS;
}

void sm_blocks_allocated(const void *block, const void *pc)
{
    if (notes)
        *sm_heap_note(block) = (struct sm_heap_note){.allocated = note_of(pc)};
}

/* Without control, or by a thread that a constructor created, a block is allocated by libc. */
static bool has_note(const void *block)
{
    return notes && sm_heap_owns(block);
}

void sm_blocks_freed(const void *block, const void *pc)
{
    if (has_note(block))
        sm_heap_note(block)->freed = note_of(pc);
}

static struct sm_harm_place place_of(enum sm_role role, uint64_t note)
{
    struct sm_harm_place place = {
        .role = role, .thread = (uint32_t)(note >> PLACE_BITS), .pc = note & PLACE};
    uint32_t depth;
    if (whole) {
        place.stack = (uint32_t)place.pc;
        const uint64_t *pc = sm_stack_get(place.stack, &depth);
        place.pc = depth ? *pc : 0;
    }
    return place;
}

uint32_t sm_blocks_places(uintptr_t start, struct sm_harm_place places[SM_BLOCK_PLACES])
{
    const struct sm_heap_note *note =
        has_note((const void *)start) ? sm_heap_note((const void *)start) : NULL;
    uint32_t n = 0;
    if (note && note->allocated) /* not if it is from before main */
        places[n++] = place_of(SM_ROLE_ALLOCATED, note->allocated);
    if (note && note->freed)
        places[n++] = place_of(SM_ROLE_FREED, note->freed);
    return n;
}
