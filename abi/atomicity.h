/*
 * atomicity.h - a violation of atomic-set serializability as the runtime passes it to the driver:
 * two units of work, and the three or four of their accesses to one set that no serial order of the
 * two explains (patterns.def).
 *
 * Violations with the same pattern, units, set and sites are one entry; count says how
 * often that was seen.
 */
#ifndef SM_ABI_ATOMICITY_H
#define SM_ABI_ATOMICITY_H

#include <stdint.h>

enum { SM_VIOLATION_DEPTH = 16, SM_VIOLATION_NAME = 64, SM_VIOLATION_EVENTS = 4 };
#define SM_MAX_VIOLATIONS 128

/*
 * What the user has declared, one per line, and what the runtime infers, in the same form:
 *   unit FUNCTION TYPE    calls of the function are units for sets of that type or name; TYPE
 *                         may be missing, which is all
 *   set NAME VARIABLE     accesses that the source calls so belong to the set
 */
enum { SM_DECLARATIONS = 16384 };

/* What a declared name should have named but does not. */
enum sm_declared_kind { SM_DECLARED_FUNCTION, SM_DECLARED_TYPE, SM_DECLARED_VARIABLE };

struct sm_undeclared { /* the first such name; none if it is empty */
    char name[116];
    uint32_t kind; /* enum sm_declared_kind */
};

struct sm_violation_event {
    uint32_t site;
    uint32_t thread;
    uint8_t kind;  /* enum sm_event_kind: LOAD or STORE */
    uint8_t other; /* 1: by the other unit */
    uint16_t reserved;
    uint32_t depth;
    uint64_t stack[SM_VIOLATION_DEPTH]; /* callers, innermost first: inside their calls */
};

struct sm_violation {
    uint32_t pattern; /* from 1 */
    uint32_t n_events;
    uint64_t count;
    uint64_t lock_pc;      /* where a lock was acquired that is held at accesses of the set; or 0 */
    uint32_t locks_differ; /* 1: but not at all of them */
    uint32_t reserved;
    char set[SM_VIOLATION_NAME];
    char unit[SM_VIOLATION_NAME]; /* functions */
    char other[SM_VIOLATION_NAME];
    struct sm_violation_event events[SM_VIOLATION_EVENTS];
};

#endif
