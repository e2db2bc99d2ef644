/* Describes which axiom is violated, and by which events. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checker/execution.h"

static const struct {
    const char *name, *law;
} axioms[] = {
#define SM_AXIOM(id, name, law) {name, law},
#include "checker/axioms.def"
};

static const char *const kind_words[] = {
#define SM_EVENT(name, word, hb) word,
#include "abi/events.def"
};

struct text {
    char *at;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->at + text->used, text->size - text->used, format, args);
    va_end(args);
    size_t left = text->size - text->used - 1;
    text->used += n < 0 ? 0 : (size_t)n < left ? (size_t)n : left;
}

static void describe(const struct sm_execution *x, uint32_t index, struct text *text)
{
    const struct sm_record *r = &x->records[index];
    const char *word = r->kind < SM_EVENTS ? kind_words[r->kind] : "record of unknown kind";
    add(text, "event %" PRIu32 " (thread %" PRIu32 ", %s", index, r->thread, word);
    if (r->size)
        add(text, " of %u bytes", r->size);
    if (r->addr)
        add(text, " at 0x%" PRIx64, r->addr);
    if (r->site != SM_NO_SITE && x->options.place) {
        char place[256] = "";
        x->options.place(x->options.context, r->site, place, sizeof place);
        add(text, ", %s", place);
    }
    add(text, ")");
}

bool sm_broken_record(struct sm_execution *x, enum sm_axiom axiom, const char *sentence, uint32_t n,
                      const uint32_t *records)
{
    struct sm_verdict *verdict = x->verdict;
    struct text text = {verdict->why, sizeof verdict->why, 0};
    verdict->legal = false;
    verdict->axiom = axioms[axiom].name;
    verdict->n_events = n < SM_VERDICT_EVENTS ? n : SM_VERDICT_EVENTS;
    for (uint32_t i = 0; i < verdict->n_events; i++)
        verdict->events[i] = records[i];
    add(&text, "%s (%s): ", axioms[axiom].name, axioms[axiom].law);
    for (const char *s = sentence; *s; s++) {
        if (s[0] == '{' && s[2] == '}') {
            describe(x, records[s[1] - '0'], &text);
            s += 2;
        } else {
            add(&text, "%c", *s);
        }
    }
    return false;
}

bool sm_broken(struct sm_execution *x, enum sm_axiom axiom, const char *sentence, uint32_t n,
               const uint32_t *events)
{
    uint32_t records[SM_VERDICT_EVENTS];
    n = n < SM_VERDICT_EVENTS ? n : SM_VERDICT_EVENTS;
    for (uint32_t i = 0; i < n; i++)
        records[i] = x->events.at[events[i]].record;
    return sm_broken_record(x, axiom, sentence, n, records);
}
