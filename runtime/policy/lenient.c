/*
 * Answers from an edited recording: entries were removed, to see whether the execution still fails
 * without them.
 *
 * Each removed entry changes what happens afterwards, so an answer is looked up by its place
 * (thread, scheduling point of that thread, purpose, ordinal), not by time. Entries whose place is
 * never reached, or that no longer fit, are skipped.
 */
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/policy/policy.h"

enum { THREADS = 1 << 16 };
static struct sm_choice *entries; /* a copy: the file is written while we read */
static uint32_t *next;            /* of each entry: 1 + the next entry of the same thread */
static uint32_t *first;           /* of each thread: 1 + its first entry not yet passed */

void sm_lenient_start(void)
{
    uint64_t n = sm_control->choices_in;
    entries = sm_alloc((n + 1) * sizeof *entries);
    next = sm_alloc((n + 1) * sizeof *next);
    first = sm_alloc(THREADS * sizeof *first);
    memcpy(entries, sm_choices, n * sizeof *entries);
    for (uint64_t i = n; i-- > 0;) {
        next[i] = first[entries[i].thread];
        first[entries[i].thread] = (uint32_t)i + 1;
    }
}

static const struct sm_choice *find(const struct sm_choice *here)
{
    uint32_t *link = &first[here->thread];
    while (*link && entries[*link - 1].point < here->point)
        *link = next[*link - 1];
    for (uint32_t i = *link; i && entries[i - 1].point == here->point; i = next[i - 1]) {
        const struct sm_choice *entry = &entries[i - 1];
        if (entry->purpose == here->purpose && entry->nth == here->nth)
            return entry;
    }
    return NULL;
}

uint32_t sm_lenient_answer(const struct sm_choice *here)
{
    const struct sm_choice *entry = find(here);
    return entry && entry->pick < here->n ? entry->pick : 0;
}

bool sm_lenient_find(const struct sm_choice *here, uint32_t *pick)
{
    const struct sm_choice *entry = find(here);
    if (!entry || entry->n != here->n)
        return false;
    *pick = entry->pick;
    return true;
}
