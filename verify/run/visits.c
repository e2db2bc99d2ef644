#include "verify/run/visits.h"

#include <string.h>

#include "verify/pool.h"

enum { FIRST_VISITS = 256, FIRST_TIMES = 16 };

struct visit {
    uint32_t next;
    uint8_t bytes, thread;
    bool write;
    uint32_t when; /* in `times` */
};

static struct visits {
    struct visit *all;
    uint32_t n, capacity;
    struct sm_vector *times; /* each once: they change when threads are created and joined only */
    uint32_t n_times, times_room;
    uint32_t newest[SM_GRAPH_THREADS]; /* of each thread: the last one */
} *visits;

void sm_visits_start(void)
{
    visits = sm_pool_get(sizeof *visits);
    *visits = (struct visits){.n = 1, .capacity = FIRST_VISITS, .times_room = FIRST_TIMES};
    visits->all = sm_pool_get(FIRST_VISITS * sizeof *visits->all);
    visits->times = sm_pool_get(FIRST_TIMES * sizeof *visits->times);
    memset(&visits->times[visits->n_times++], 0, sizeof *visits->times);
}

/* The number of a time. */
static uint32_t find_time(uint32_t thread, const struct sm_vector *when)
{
    uint32_t n = visits->newest[thread];
    if (memcmp(&visits->times[n], when, sizeof *when) == 0)
        return n;
    for (n = 0; n < visits->n_times; n++)
        if (memcmp(&visits->times[n], when, sizeof *when) == 0)
            return visits->newest[thread] = n;
    visits->times = sm_pool_room(visits->times, &visits->times_room, n, sizeof *visits->times);
    visits->times[visits->n_times++] = *when;
    return visits->newest[thread] = n;
}

static bool is_ordered(const struct visit *old, uint32_t thread, const struct sm_vector *when)
{
    const struct sm_vector *then = &visits->times[old->when];
    return old->thread == thread || when->at[old->thread] >= then->at[old->thread] ||
           then->at[thread] >= when->at[thread];
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
    uint32_t time = find_time(thread, when);
    for (uint32_t i = *list; i; i = visits->all[i].next) {
        const struct visit *old = &visits->all[i];
        conflict |= (old->bytes & bytes) && (old->write || write) && !is_ordered(old, thread, when);
        known |= old->thread == thread && old->write == write && (old->bytes & bytes) == bytes &&
                 old->when == time;
    }
    struct visit visit = {.bytes = bytes, .thread = (uint8_t)thread, .write = write, .when = time};
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
