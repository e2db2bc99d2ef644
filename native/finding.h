/*
 * finding.h - one race, with all that is known about it.
 *
 * report.c fills it in and describe.c turns it into the struct that is shown (findings/race.h): as
 * text for people, or as JSON for `stalemate detect`, which gets one line for each finding as soon
 * as it is made, and at the end one with the counts:
 *
 *   {"process":7,"race":{"id":1,"variable":...,"first":{...},"second":{...},...}}
 *   {"process":7,"counts":[3,1],"notes":["..."],"sites":120}
 *
 * The children of a fork write to the same file, with ids of their own.
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
    int64_t element; /* in place of the first "[]" of the variable; -1: unknown */
    uintptr_t addr;
    uint32_t size;
    struct sm_side first, second; /* in the order in which the detector saw them */
    bool has_memory;
    uint64_t memory; /* what the bytes held when the race was found, if so; little-endian */
    bool in_heap;
    struct sm_heap_block block; /* if in_heap */
    const char *advice;
};

/* A harm: the operation that fails, then the further places. */
#define SM_HARM_SIDES 8
struct sm_harm_side {
    struct sm_side side;
    enum sm_role role;
    uintptr_t object; /* that it is about, if that is not the object of all; 0 */
};
struct sm_detected_harm {
    enum sm_failure_kind kind;
    char detail[512];
    uint32_t n;
    struct sm_harm_side sides[SM_HARM_SIDES];
};

/* The running thread, or another that does not run, as it is now; and with a stack of its own. */
void sm_side_of_thread(struct sm_side *side, const struct sm_detect_thread *thread);
void sm_side_of_trail(struct sm_side *side, const struct sm_trail *trail);
/* The same for a harm: `steps` has room for SM_HARM_SIDES. */
void sm_harm_describe(const struct sm_detected_harm *harm, struct sm_harm_step *steps,
                      struct sm_harm_report *report);
void sm_finding_describe(const struct sm_detected_race *finding, struct sm_data_race *race);
/* Of a race of which the first access has freed the memory: a use after free, or a second free. */
void sm_freed_describe(const struct sm_collision *race, const struct sm_detected_race *finding,
                       struct sm_detected_harm *harm);
/* What to do about it: one line. */
const char *sm_finding_advice(const struct sm_detected_race *finding);

#endif
