#include "verify/run/visits.h"

#include <string.h>

#include "verify/pool.h"

enum { FIRST_VISITS = 256 };

struct visit {
    uint32_t next;
    uint8_t bytes, thread;
    bool write;
    struct sm_vector when;
};

static struct visits {
    struct visit *all;
    uint32_t n, capacity;
} *visits;

void sm_visits_start(void)
{
    visits = sm_pool_get(sizeof *visits);
    *visits = (struct visits){.n = 1, .capacity = FIRST_VISITS};
    visits->all = sm_pool_get(FIRST_VISITS * sizeof *visits->all);
}

static bool is_ordered(const struct visit *old, uint32_t thread, const struct sm_vector *when)
{
    return old->thread == thread || when->at[old->thread] >= old->when.at[old->thread] ||
           old->when.at[thread] >= when->at[thread];
}

static void add(uint32_t *list, const struct visit *visit)
{
    if (visits->n == visits->capacity) {
        visits->all = sm_pool_double(visits->all, visits->capacity * sizeof *visits->all);
        visits->capacity *= 2;
    }
    visits->all[visits->n] = *visit;
    visits->all[visits->n].next = *list;
    *list = visits->n++;
}

bool sm_visits_add(uint32_t *list, uint8_t bytes, bool write, uint32_t thread,
                   const struct sm_vector *when)
{
    bool conflict = false, known = false;
    for (uint32_t i = *list; i; i = visits->all[i].next) {
        const struct visit *old = &visits->all[i];
        conflict |= (old->bytes & bytes) && (old->write || write) && !is_ordered(old, thread, when);
        known |= old->thread == thread && old->write == write && (old->bytes & bytes) == bytes &&
                 memcmp(&old->when, when, sizeof *when) == 0;
    }
    struct visit visit = {.bytes = bytes, .thread = (uint8_t)thread, .write = write, .when = *when};
    if (!known)
        add(list, &visit);
    return conflict;
}

unsigned sm_visits_bytes(uint32_t list, uint8_t masks[], unsigned room)
{
    unsigned n = 0;
    for (uint32_t i = list; i && n < room; i = visits->all[i].next)
        masks[n++] = visits->all[i].bytes;
    return n;
}

bool sm_visits_are_open(uint32_t list, uint32_t thread, const struct sm_vector *when)
{
    uint32_t i = list;
    while (i && is_ordered(&visits->all[i], thread, when))
        i = visits->all[i].next;
    return i;
}
