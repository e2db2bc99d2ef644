#include "verify/run/outside.h"

#include "abi/control.h"
#include "runtime/sched/sched.h"
#include "verify/explore.h"
#include "verify/run/run.h"
#include "verify/whole.h"

/* The memory at the address of a location. */
struct left {
    uintptr_t addr; /* 0: not known */
    uint64_t value;
    uint8_t size;
};

static struct left *all;
static uint32_t n, capacity;
bool sm_outside_on;

void sm_outside_start(void)
{
    sm_outside_on = !sm_whole_is_known();
}

void sm_outside_begin(void)
{
    all = NULL;
    n = capacity = 0;
}

void sm_outside_note(uint16_t loc, uintptr_t addr, unsigned size)
{
    if (sm_exploring != SM_EXPLORE_ALL)
        return;
    if (loc >= capacity)
        all = sm_grow(all, &capacity, loc, sizeof *all);
    if (loc >= n)
        n = loc + 1u;
    all[loc] = (struct left){addr, sm_memory_read(addr, size), (uint8_t)size};
}

void sm_outside_compare(uint16_t loc, const struct sm_event *event)
{
    if (loc >= n || all[loc].addr != event->addr || all[loc].size != event->size ||
        all[loc].value == sm_memory_read(event->addr, event->size))
        return;
    sm_end(SM_END_REFUSED, 0,
           "verify: code that is not instrumented has stored to memory that threads share (%s at "
           "%s:%u): verify does not see such stores; compile that code, too, with stalemate-cc, or "
           "use stalemate hunt --no-exact",
           event->site ? SM_SITE_TEXT(event->site, variable) : "?",
           event->site ? SM_SITE_TEXT(event->site, file) : "?",
           event->site ? event->site->line : 0);
}

void sm_outside_allocated(const struct sm_event *event)
{
    for (uint32_t i = 0; i < n; i++)
        if (all[i].addr - event->addr < event->old)
            all[i].addr = 0;
}
