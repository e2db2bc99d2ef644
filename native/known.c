/*
 * known.c - see known.h.
 */
#include "native/known.h"

#include <string.h>

#include "native/counters.h"

static struct known_site {
    const struct sm_site *sites[2];
    uint64_t count;
} known[SM_KNOWN_MAX];
static uint32_t n_known;

static bool same_place(const struct sm_site *a, const struct sm_site *b)
{
    return a == b || (a && b && a->line == b->line && a->column == b->column &&
                      strcmp(SM_SITE_TEXT(a, variable), SM_SITE_TEXT(b, variable)) == 0 &&
                      strcmp(SM_SITE_TEXT(a, file), SM_SITE_TEXT(b, file)) == 0);
}

static bool same_pair(const struct known_site *pair, const struct sm_site *a,
                      const struct sm_site *b)
{
    return (same_place(pair->sites[0], a) && same_place(pair->sites[1], b)) ||
           (same_place(pair->sites[0], b) && same_place(pair->sites[1], a));
}

/* Recent meetings. */
#define MEETINGS 1024

static struct {
    struct sm_meeting meeting;
    uint32_t pair;
} met[MEETINGS];

/* Meetings are compared by granule: the two accesses may be to different bytes of it. */
static bool have_met(uint32_t pair, struct sm_meeting meeting)
{
    uint32_t a = meeting.epochs[0], b = meeting.epochs[1];
    struct sm_meeting now = {meeting.addr / 8, {a < b ? a : b, a < b ? b : a}};
    uint64_t key = (now.addr * 31 + now.epochs[0]) * 31 + now.epochs[1] * 17 + pair;
    unsigned i = key * 0x9e3779b97f4a7c15u >> 54;
    bool known_already = met[i].pair == pair && met[i].meeting.addr == now.addr &&
                         met[i].meeting.epochs[0] == now.epochs[0] &&
                         met[i].meeting.epochs[1] == now.epochs[1];
    met[i].meeting = now;
    met[i].pair = pair;
    return known_already;
}
_Static_assert(MEETINGS == 1 << (64 - 54), "ten bits of the product");

/* By site and slot; different ones that share a place are sampled together. */
#define REPEATS 4096
static uint32_t repeats[REPEATS];

static uint32_t *repeats_of(const struct sm_site *site, uint32_t other_slot)
{
    return &repeats[((uintptr_t)site + other_slot) * 0x9e3779b97f4a7c15u >> 52];
}
_Static_assert(REPEATS == 1 << (64 - 52), "twelve bits of the product");

uint32_t sm_known_weight(const struct sm_site *site, uint32_t other_slot)
{
    uint32_t *place = repeats_of(site, other_slot);
    uint32_t n = __atomic_load_n(place, __ATOMIC_RELAXED);
    __atomic_store_n(place, n + 1, __ATOMIC_RELAXED);
    if (n < SM_KNOWN_EACH)
        return 1;
    return n % SM_KNOWN_SAMPLE ? 0 : SM_KNOWN_SAMPLE;
}

void sm_known_was_new(const struct sm_site *site, uint32_t other_slot)
{
    __atomic_store_n(repeats_of(site, other_slot), 0, __ATOMIC_RELAXED);
}

bool sm_known_add(const struct sm_site *a, const struct sm_site *b, struct sm_meeting meeting,
                  uint32_t weight, uint32_t *number)
{
    for (uint32_t i = 0; i < n_known; i++) {
        if (!same_pair(&known[i], a, b))
            continue;
        if (!have_met(i, meeting))
            known[i].count += weight;
        return false;
    }
    if (n_known == SM_KNOWN_MAX) {
        sm_count_event(SM_DETECT_NO_ROOM);
        return false;
    }
    *number = n_known;
    have_met(n_known, meeting);
    known[n_known++] = (struct known_site){{a, b}, 1};
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
