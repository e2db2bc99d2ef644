/* Which events of a witness show how its threads interact. */
#include <stdlib.h>

#include "findings/story.h"
#include "findings/voice.h"

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

/* Accesses to memory that only one thread uses do not show how threads interact: in a C++ program
   they would be nine events in ten. */
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

/* A failure that needs no lie has no such mark. */
static bool has_liars(const struct sm_witness *witness)
{
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].flags & SM_RECORD_LIED)
            return true;
    return false;
}

/* A reference that a lambda has captured. */
static bool is_captured(const struct sm_witness *witness, size_t i)
{
    return sm_is_access(&witness->records[i]) && *sm_voice_memory(witness, i) == '&';
}

/* Where the struct begins that the record accesses a field of; 0: none. */
static uint64_t object_of(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    const struct sm_site_row *row =
        sm_is_access(record) ? sm_sites_find(&witness->sites, record->site) : NULL;
    return row && *row->object ? record->addr - row->offset : 0;
}

static bool is_object_shared(const struct sm_witness *witness, uint64_t object, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (witness->records[i].thread != witness->end_thread && object_of(witness, i) == object)
            return true;
    return false;
}

/* The last reads of the failing thread matter even if no other thread has accessed that field yet,
   if others accessed its struct. */
static void keep_last_reads(const struct sm_witness *witness, bool *matters)
{
    enum { SEEN_LAST = 4 };
    size_t reads = 0;
    for (size_t i = witness->n_records; i-- > 0 && reads < SEEN_LAST;) {
        if (witness->records[i].thread != witness->end_thread || !sm_is_read(&witness->records[i]))
            continue;
        uint64_t object = object_of(witness, i);
        matters[i] |= object && is_object_shared(witness, object, i);
        reads++;
    }
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
                     record->kind != SM_EV_PART && !is_captured(witness, i);
        if (sm_is_access(record))
            words[n++] = (struct word){record->addr / 8, record->thread, i};
    }
    drop_private(matters, words, n);
    if (all)
        keep_last_reads(witness, matters);
    free(words);
    return matters;
}
