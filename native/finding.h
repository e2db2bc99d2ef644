/*
 * finding.h - a race or other failure, with everything that is known about it.
 *
 * report.c fills it in and describe.c converts it to the struct that is printed (findings/race.h):
 * as text, or as JSON for `stalemate detect`, which gets one line per finding as soon as it is
 * made, and at the end one line with the counts:
 *
 *   {"process":7,"race":{"id":1,"variable":...,"first":{...},"second":{...},...}}
 *   {"process":7,"counts":[3,1],"notes":["..."],"sites":120}
 *
 * Child processes write to the same file, with ids of their own.
 */
#ifndef SM_NATIVE_FINDING_H
#define SM_NATIVE_FINDING_H

#include "abi/control.h"
#include "findings/harm.h"
#include "native/blocks.h"
#include "native/shadow.h"

struct sm_side {
    const struct sm_detect_thread *thread;
    const struct sm_site *site; /* NULL: no longer known */
    unsigned kind;              /* enum sm_access_kind */
    uint32_t epoch;             /* of its thread */
    struct sm_trail trail;
    struct sm_locks locks;
};

struct sm_detected_race {
    uint32_t number;
    const char *variable;
    int64_t element; /* index for the first "[]" of the variable; -1: unknown */
    uintptr_t addr;
    uint32_t size;
    struct sm_side first, second; /* in the order in which the detector saw them */
    bool has_memory;
    uint64_t memory; /* value of the bytes when the race was found, if has_memory; little-endian */
    bool in_heap;
    struct sm_heap_block block; /* if in_heap */
    const char *advice;
};

/* A harm: the failing operation, then related places. */
#define SM_HARM_SIDES 8
struct sm_harm_side {
    struct sm_side side;
    enum sm_role role;
    uintptr_t object; /* its own object, if it is not that of the whole report; else 0 */
};
struct sm_detected_harm {
    enum sm_failure_kind kind;
    char detail[512];
    uint32_t n;
    struct sm_harm_side sides[SM_HARM_SIDES];
};

/* Fills in a side: from the current state of the running thread or of one that does not run; from a
   given stack. */
void sm_side_of_thread(struct sm_side *side, const struct sm_detect_thread *thread);
void sm_side_of_trail(struct sm_side *side, const struct sm_trail *trail);
/* The same for a harm: `steps` has room for SM_HARM_SIDES. */
void sm_harm_describe(const struct sm_detected_harm *harm, struct sm_harm_step *steps,
                      struct sm_harm_report *report);
void sm_finding_describe(const struct sm_detected_race *finding, struct sm_data_race *race);
/* For a race whose first access freed the memory: a use after free, or a double free. */
void sm_freed_describe(const struct sm_collision *race, const struct sm_detected_race *finding,
                       struct sm_detected_harm *harm);
/* One line of advice. */
const char *sm_finding_advice(const struct sm_detected_race *finding);

#endif
