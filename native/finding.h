/*
 * finding.h - one race, with all that is known about it, and how it is told.
 *
 * report.c fills it in; text.c prints it for people, json.c for `stalemate detect`, which
 * gets one line for each finding as soon as it is made, and at the end one with the counts:
 *
 *   {"finding":0,"variable":...,"first":{...},"second":{...},...}
 *   {"counts":[3,1],"notes":["..."]}
 *
 * The keys are those of the contract (docs/detect.md), so that the driver passes them on.
 */
#ifndef SM_NATIVE_FINDING_H
#define SM_NATIVE_FINDING_H

#include "abi/site.h"
#include "native/blocks.h"
#include "native/shadow.h"

struct sm_side {
    const struct sm_detect_thread *thread;
    const struct sm_site *site; /* NULL: no longer known */
    unsigned kind;              /* enum sm_access_kind */
    struct sm_trail trail;
    struct sm_locks locks;
};

struct sm_finding {
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

/* Room for two stacks of long C++ names; what is not written is not touched. */
struct sm_output {
    char chars[1 << 20];
    size_t used;
};
void sm_put(struct sm_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *sm_kind_word(unsigned kind); /* "read", "atomic-write", "free" */
void sm_finding_text(const struct sm_finding *finding, struct sm_output *output);
void sm_finding_json(const struct sm_finding *finding, struct sm_output *output);
/* What to do about it: one line. */
const char *sm_finding_advice(const struct sm_finding *finding);

#endif
