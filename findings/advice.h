/*
 * advice.h - one line on how to remove a race, chosen from what was observed. The hint is untested;
 * `stalemate fix` tries repairs (fix/search.h).
 *
 * The kinds are those of Java RaceFinder's counterexample analysis (missing synchronisation, unsafe
 * publication, volatile array, missing volatile, which is missing atomic here), with those of C:
 * memory that is freed, locks that do not exclude each other, threads that are not waited for. The
 * most specific observation that holds gives the advice; advice.def has them in that order.
 *
 * Both flavours use this file with the same facts: the detect runtime inside the program, and the
 * driver for controlled executions. So it depends on nothing but its arguments.
 */
#ifndef SM_FINDINGS_ADVICE_H
#define SM_FINDINGS_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SM_UNKNOWN_THREAD UINT32_MAX

struct sm_advice_side {
    uint32_t thread;
    uint32_t parent; /* that created the thread, or SM_UNKNOWN_THREAD */
    bool write, atomic, freed, is_volatile;
    bool by_call; /* of a library, as close() and pthread_mutex_destroy() */
    uint32_t n_locks;
    uint64_t locks[8]; /* held */
};

struct sm_advice_facts {
    const char *variable;
    struct sm_advice_side first, second; /* in the order in which they happened */
    uint32_t allocated_by;   /* a thread, or SM_UNKNOWN_THREAD: not on the heap, or unknown */
    bool by_special_pointer; /* reached through a pointer that is volatile or atomic */
};

const char *sm_advice(const struct sm_advice_facts *facts);

/* Of a variable that reports write as `*p`, `p[]` or `p->field`, the length of `p`, which
   begins at *start; 0 if it is not of that kind. */
size_t sm_advice_pointer(const char *variable, const char **start);

#endif
