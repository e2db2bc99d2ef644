/*
 * known.c - see known.h.
 */
#include "known.h"

#include <string.h>

#include "counters.h"

static struct known {
    const struct sm_site *sites[2];
    uint64_t count;
} known[SM_KNOWN_MAX];
static uint32_t n_known;

static bool same_place(const struct sm_site *a, const struct sm_site *b)
{
    return a == b || (a && b && a->line == b->line && a->column == b->column &&
                      strcmp(a->variable, b->variable) == 0 && strcmp(a->file, b->file) == 0);
}

static bool same_pair(const struct known *pair, const struct sm_site *a, const struct sm_site *b)
{
    return (same_place(pair->sites[0], a) && same_place(pair->sites[1], b)) ||
           (same_place(pair->sites[0], b) && same_place(pair->sites[1], a));
}

bool sm_known_add(const struct sm_site *a, const struct sm_site *b, uint32_t *number)
{
    for (uint32_t i = 0; i < n_known; i++) {
        if (!same_pair(&known[i], a, b))
            continue;
        known[i].count++;
        return false;
    }
    if (n_known == SM_KNOWN_MAX) {
        sm_count_event(SM_DETECT_NO_ROOM);
        return false;
    }
    *number = n_known;
    known[n_known++] = (struct known){{a, b}, 1};
    return true;
}

uint32_t sm_known_pairs(void)
{
    return n_known;
}

uint64_t sm_known_count(uint32_t number)
{
    return known[number].count;
}
