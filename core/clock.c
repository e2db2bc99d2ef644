#include "core/clock.h"

#include <string.h>

#include "base/sys.h"

static void free_room(const struct sm_clock *clock)
{
    if (!clock->borrowed)
        sm_free(clock->time, clock->capacity * sizeof *clock->time);
}

void sm_clock_reserve(struct sm_clock *clock, uint32_t n)
{
    if (n <= clock->capacity)
        return;
    uint32_t larger = clock->capacity ? clock->capacity : 4;
    while (larger < n)
        larger *= 2;
    uint32_t *time = sm_alloc(larger * sizeof *time);
    if (clock->time) {
        memcpy(time, clock->time, clock->n * sizeof *time);
        free_room(clock);
    }
    clock->time = time;
    clock->capacity = larger & INT32_MAX;
    clock->borrowed = false;
}

static void extend(struct sm_clock *clock, uint32_t n)
{
    if (n <= clock->n)
        return;
    sm_clock_reserve(clock, n);
    memset(clock->time + clock->n, 0, (n - clock->n) * sizeof *clock->time);
    clock->n = n;
}

void sm_clock_set(struct sm_clock *clock, uint32_t thread, uint32_t time)
{
    extend(clock, thread + 1);
    clock->time[thread] = time;
}

void sm_clock_join(struct sm_clock *to, const struct sm_clock *from)
{
    extend(to, from->n);
    for (uint32_t i = 0; i < from->n; i++)
        if (from->time[i] > to->time[i])
            to->time[i] = from->time[i];
}

void sm_clock_copy(struct sm_clock *to, const struct sm_clock *from)
{
    to->n = 0;
    sm_clock_reserve(to, from->n);
    if (from->n)
        memcpy(to->time, from->time, from->n * sizeof *to->time);
    to->n = from->n;
}

void sm_clock_clear(struct sm_clock *clock)
{
    if (clock->time)
        free_room(clock);
    *clock = (struct sm_clock){0};
}
