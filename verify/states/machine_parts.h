/*
 * machine_parts.h - shared by the parts of the machine: machine.c, machine_ways.c, machine_go.c.
 *
 * Inline, because each state that the search visits needs them hundreds of times.
 */
#ifndef SM_VERIFY_STATES_MACHINE_PARTS_H
#define SM_VERIFY_STATES_MACHINE_PARTS_H

#include "base/sys.h"
#include "verify/states/machine.h"

/* The initial value of a location. */
uint64_t sm_machine_initial_value(uint16_t loc);
/* False, and noted, if there is no room for another write or object. */
bool sm_machine_has_room(const struct sm_machine *machine);
/* The location has atomic accesses, or is sequentially consistent: plain writes to it, too, are in
   modification order. */
bool sm_machine_is_ordered(uint16_t loc);
/* No access to the location is weak. */
bool sm_machine_is_sequential(uint16_t loc);
void sm_machine_note_forced(void);
void sm_machine_note_full(void);

uint64_t sm_machine_object_state(const struct sm_machine *machine, uint16_t loc);
/* Created at its first use. */
struct sm_object_state *sm_machine_object(struct sm_machine *machine, uint16_t loc);
/* The argument of the operation; `picked`: one of its candidates (objects.h). */
uint64_t sm_machine_argument(const struct sm_local *node, uint32_t picked);
uint32_t sm_machine_candidates(const struct sm_local *node, uint64_t state);
bool sm_machine_has_ended(const struct sm_machine *machine, uint64_t thread);

static inline void sm_known_join(struct sm_known *to, const struct sm_known *from)
{
    if (sm_machine_is_sc())
        return;
    for (unsigned i = 0; i < SM_MACHINE_THREADS; i++) {
        if (from->hb[i] > to->hb[i])
            to->hb[i] = from->hb[i];
        if (from->co[i] > to->co[i])
            to->co[i] = from->co[i];
    }
    if (from->sc > to->sc)
        to->sc = from->sc;
}

static inline uint16_t sm_machine_time(const struct sm_machine *machine, uint32_t thread)
{
    return machine->threads[thread].now.hb[thread];
}

/* The thread has released: its later events belong to the next time. */
static inline void sm_machine_tick(struct sm_machine *machine, uint32_t thread)
{
    struct sm_known *now = &machine->threads[thread].now;
    if (sm_machine_is_sc())
        return;
    now->co[thread] = ++now->hb[thread];
    SM_ASSERT(now->hb[thread] < UINT16_MAX);
}

static inline bool sm_written_is_made(const struct sm_written *write)
{
    return !(write->flags & SM_WRITTEN_PROMISE);
}

/* The write happens before the thread's next event. */
static inline bool sm_written_is_known(const struct sm_machine *machine,
                                       const struct sm_written *write, uint32_t thread)
{
    return sm_written_is_made(write) &&
           (write->thread == thread ||
            machine->threads[thread].now.hb[write->thread] >= write->time);
}

static inline bool sm_written_is_before(const struct sm_written *a, const struct sm_written *b)
{
    if (a->thread == b->thread)
        return a->nth < b->nth;
    return b->by.hb[a->thread] >= a->time;
}

/* The writes of a location that are made: [first, end). Its promises follow directly. */
static inline void sm_machine_range(const struct sm_machine *machine, uint16_t loc, uint16_t *first,
                                    uint16_t *end)
{
    uint16_t i = 0;
    while (i < machine->n_writes && machine->writes[i].loc < loc)
        i++;
    *first = i;
    while (i < machine->n_writes && machine->writes[i].loc == loc &&
           sm_written_is_made(&machine->writes[i]))
        i++;
    *end = i;
}

/* SM_MACHINE_WRITES: there is none. */
static inline uint16_t sm_machine_find_promise(const struct sm_machine *machine, uint16_t loc,
                                               struct sm_source name)
{
    for (uint16_t i = 0; i < machine->n_writes; i++) {
        const struct sm_written *write = &machine->writes[i];
        if (write->loc == loc && write->thread == name.thread && write->nth == name.nth &&
            !sm_written_is_made(write))
            return i;
    }
    return SM_MACHINE_WRITES;
}

#endif
