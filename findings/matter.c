/* Which events of a witness tell how its threads meet. */
#include <stdlib.h>

#include "findings/story.h"

struct word { /* eight bytes that an event accessed */
    uint64_t number;
    uint32_t thread;
    size_t event;
};

static int by_number(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* What one thread alone accesses tells nothing of how threads meet: of a C++ program it would
   be nine events in ten. */
static void drop_private(bool *matters, struct word *words, size_t n)
{
    qsort(words, n, sizeof *words, by_number);
    for (size_t first = 0, end; first < n; first = end) {
        bool shared = false;
        for (end = first; end < n && words[end].number == words[first].number; end++)
            shared |= words[end].thread != words[first].thread;
        for (size_t i = first; i < end && !shared; i++)
            matters[words[i].event] = false;
    }
}

/* Of a failure that needs no lie nothing is marked. */
static bool has_liars(const struct sm_witness *witness)
{
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].flags & SM_RECORD_LIED)
            return true;
    return false;
}

bool *sm_events_that_matter(const struct sm_witness *witness)
{
    bool all = !has_liars(witness);
    bool *matters = sm_new(witness->n_records + 1);
    struct word *words = sm_new((witness->n_records + 1) * sizeof *words);
    size_t n = 0;
    for (size_t i = 0; i < witness->n_records; i++) {
        const struct sm_record *record = &witness->records[i];
        matters[i] = (all || !sm_is_access(record) || (record->flags & SM_RECORD_LIED)) &&
                     !(record->flags & (SM_RECORD_MORE | SM_RECORD_EXTERNAL)) &&
                     record->kind != SM_EV_PART;
        if (sm_is_access(record))
            words[n++] = (struct word){record->addr / 8, record->thread, i};
    }
    drop_private(matters, words, n);
    free(words);
    return matters;
}
