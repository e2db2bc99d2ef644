/*
 * race.h - a data race as the runtime passes it to the driver.
 *
 * Two accesses to a common byte from different threads, at least one a write, at least
 * one not atomic, unordered by happens-before. Races with the same two sites are one
 * entry; count says how often the pair was seen.
 */
#ifndef SM_ABI_RACE_H
#define SM_ABI_RACE_H

#include <stdint.h>

#include "abi/record.h"

#define SM_RACE_DEPTH 32
#define SM_RACE_LOCKS 8
#define SM_MAX_RACES 256
#define SM_RACE_PLACES 8
#define SM_NO_THREAD UINT32_MAX

struct sm_race_lock {
    uint64_t addr;
    uint64_t pc; /* within the call that acquired it */
};

struct sm_race_access {
    uint8_t kind; /* enum sm_event_kind */
    uint8_t size;
    uint8_t order; /* enum sm_order */
    uint8_t flags; /* enum sm_record_flag */
    uint32_t thread;
    uint32_t site; /* or SM_NO_SITE */
    uint32_t depth;
    uint64_t value;
    uint64_t record; /* index of its event */
    uint64_t stack[SM_RACE_DEPTH];
    uint32_t n_locks;
    struct sm_race_lock locks[SM_RACE_LOCKS]; /* held, the last acquired first */
    uint32_t parent;                          /* the creator of its thread, or SM_NO_THREAD */
    uint32_t created_depth;
    uint64_t created[SM_RACE_DEPTH]; /* creation stack */
    uint32_t number, team;           /* OpenMP: thread number and team size; 0: no team */
    uint64_t region;                 /* where its parallel region begins; 0: unknown */
};

struct sm_race_block {
    uint64_t start, size; /* 0: not heap memory */
    uint32_t thread;      /* that allocated the block */
    uint32_t depth;
    uint64_t stack[SM_RACE_DEPTH];
};

struct sm_race {
    uint64_t addr; /* real address of the first byte that the two have in common */
    uint64_t count;
    struct sm_race_access first, second;
    /* The first few granules at which the pair was seen, normalised (runtime/region.h). */
    uint64_t places[SM_RACE_PLACES];
    uint32_t n_places;
    int32_t descriptor; /* the file descriptor that the race is on; -1: memory */
    struct sm_race_block block;
};

/* Identifies one access of a pair: its site or, without one, the place of the call. */
static inline uint64_t sm_race_place_of(uint32_t site, uint64_t pc)
{
    return site != SM_NO_SITE || !pc ? site : pc | 1ul << 63;
}

static inline uint64_t sm_race_place(const struct sm_race_access *access)
{
    return sm_race_place_of(access->site, access->depth ? access->stack[0] : 0);
}

static inline void sm_race_add_place(struct sm_race *race, uint64_t place)
{
    for (uint32_t i = 0; i < race->n_places; i++)
        if (race->places[i] == place)
            return;
    if (race->n_places < SM_RACE_PLACES)
        race->places[race->n_places++] = place;
}

#endif
