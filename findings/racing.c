#include "findings/racing.h"

#include <stdlib.h>

#include "findings/story.h"

struct access_of_word { /* eight bytes that a record accesses */
    uint64_t word;
    size_t record;
};

static int by_word(const void *a, const void *b)
{
    const struct access_of_word *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static size_t list_words(const struct sm_witness *witness, struct access_of_word *words)
{
    size_t n = 0;
    for (size_t i = 0; i < witness->n_records; i++) {
        const struct sm_record *record = &witness->records[i];
        if (!sm_is_access(record) || !record->size || (record->flags & SM_RECORD_EXTERNAL))
            continue;
        words[n++] = (struct access_of_word){record->addr / 8, i};
        if ((record->addr + record->size - 1) / 8 != record->addr / 8)
            words[n++] = (struct access_of_word){record->addr / 8 + 1, i};
    }
    qsort(words, n, sizeof *words, by_word);
    return n;
}

static int by_records(const void *a, const void *b)
{
    const struct sm_racing_pair *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void add_pair(struct sm_racing *racing, size_t from, size_t to)
{
    if ((racing->n & (racing->n + 1)) == 0)
        racing->items = sm_resize(racing->items, 2 * (racing->n + 1) * sizeof *racing->items);
    racing->items[racing->n++] = (struct sm_racing_pair){from, to};
}

/* The accesses of one word in the order of execution. last[2 * thread + does it store] is the last
   access of a thread, n_records if there is none. */
static void pair_up(struct sm_racing *racing, const struct sm_witness *witness,
                    const struct sm_reasons *reasons, const struct access_of_word *words, size_t n,
                    size_t *last)
{
    uint32_t threads = sm_reasons_threads(reasons);
    for (uint32_t k = 0; k < 2 * threads; k++)
        last[k] = witness->n_records;
    for (size_t i = 0; i < n; i++) {
        size_t record = words[i].record;
        for (uint32_t k = 0; k < 2 * threads; k++)
            if (last[k] != witness->n_records && sm_reasons_race(reasons, last[k], record))
                add_pair(racing, last[k], record);
        last[2 * witness->records[record].thread + sm_is_store(&witness->records[record])] = record;
    }
}

struct sm_racing sm_racing_find(const struct sm_witness *witness, const struct sm_reasons *reasons)
{
    struct sm_racing racing = {0};
    struct access_of_word *words = sm_new((2 * witness->n_records + 1) * sizeof *words);
    size_t n = list_words(witness, words), end;
    size_t *last = sm_new((2 * (size_t)sm_reasons_threads(reasons) + 1) * sizeof *last);
    for (size_t first = 0; first < n; first = end) {
        for (end = first; end < n && words[end].word == words[first].word; end++)
            continue;
        pair_up(&racing, witness, reasons, &words[first], end - first, last);
    }
    if (racing.n)
        qsort(racing.items, racing.n, sizeof *racing.items, by_records);
    free(last);
    free(words);
    return racing;
}

void sm_racing_free(struct sm_racing *racing)
{
    free(racing->items);
}
