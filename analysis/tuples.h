/*
 * tuples.h - which patterns the units of work on one atomic set complete.
 *
 * The algorithm of the paper on atomic-set serializability, online: for each pair of units of
 * different threads and each one or two locations on which both can conflict, one word of automata
 * (automata.h). Few of these tuples exist at a time:
 *
 *   (u, *, l, *)    what u has done to l: a read, a write; kept with the unit itself
 *   (u, v, l, *)    made when v accesses l after u has
 *   (u, v, l, m)    made when the second of the two locations is accessed
 *
 * and each starts as a copy of the one before it in this list, so the cost of an access depends on
 * what concurrent units have in common, mostly nothing: units that lock properly never overlap.
 * When a unit ends, tuples that only it could have completed are freed.
 *
 * A location is any number that the caller chooses; a mark is the caller's data for an access that
 * is part of a pattern. Units are created by sm_work_begin, and freed some time after sm_work_end.
 */
#ifndef SM_ANALYSIS_TUPLES_H
#define SM_ANALYSIS_TUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/automata.h"

struct sm_access_mark {
    const void *site;
    const void *stack;
};

/* The accesses of one unit to one location. */
struct sm_unit_touch {
    uint64_t location;
    uint64_t seen[2]; /* epoch of the set after the last read, write; 0: none */
    struct sm_access_mark first[2];
};

struct sm_pair;

/* A unit of work on one set. */
struct sm_work {
    struct sm_work *next; /* of the set */
    struct sm_works *set;
    uint32_t thread;
    bool ended;
    uint32_t n_pairs; /* that refer to it: it is kept until there are none */
    struct sm_unit_touch *touches;
    uint32_t n_touches, room;
    uint32_t *index; /* hash of locations, `room * 2` long: number of the touch, from 1 */
    /* The caller's: whose unit it is. */
    const void *function;
    uint32_t depth;
    bool wanted; /* has accessed what the schedule is to interleave */
    bool stale;  /* restarts at its thread's next access */
    struct sm_work *sibling;
};

/* All units on one set. */
struct sm_works {
    struct sm_work *works;
    struct sm_pair *pairs;
    const struct sm_work *last; /* the unit of the last access */
    uint64_t epoch, run;        /* time, see tuples.c; when `last` became that */
};

struct sm_match {
    unsigned pattern; /* from 0 */
    const struct sm_work *unit, *other;
    uint64_t locations[2];
    const struct sm_access_mark *marks[SM_PATTERN_EVENTS];
};

struct sm_tuples_stats {
    uint64_t alive, most, made, lost;
};
extern struct sm_tuples_stats sm_tuples_stats;

typedef void sm_match_seen(const struct sm_match *match);

struct sm_work *sm_work_begin(struct sm_works *set, uint32_t thread);
/* Each match is reported once for the same two units and locations. */
void sm_work_access(struct sm_work *work, uint64_t location, bool write, struct sm_access_mark mark,
                    sm_match_seen *seen);
void sm_work_end(struct sm_work *work);
/* The memory was freed: forgets its accesses. Active units restart. */
void sm_works_forget(struct sm_works *set);

#endif
