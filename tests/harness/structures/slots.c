/* One bit for each slot. BROKEN: it is looked at, and then set. */
#include "slots.h"

#include <stdatomic.h>
#include <stdlib.h>

struct slots {
    unsigned n;
    atomic_uint taken;
};

struct slots *slots_create(unsigned n)
{
    struct slots *slots = calloc(1, sizeof *slots);
    slots->n = n;
    return slots;
}

void slots_destroy(struct slots *slots)
{
    free(slots);
}

int slots_alloc(struct slots *slots)
{
    for (unsigned i = 0; i < slots->n; i++) {
#ifdef BROKEN
        if (!(atomic_load(&slots->taken) & 1u << i)) {
            atomic_fetch_or(&slots->taken, 1u << i);
            return (int)i;
        }
#else
        if (!(atomic_fetch_or(&slots->taken, 1u << i) & 1u << i))
            return (int)i;
#endif
    }
    return -1;
}

void slots_free(struct slots *slots, int slot)
{
    atomic_fetch_and(&slots->taken, ~(1u << slot));
}
