/*
 * harm.h - a failure or warning that the runtime itself has noticed, in the control block.
 *
 * `detail` says what happened without addresses, threads and places, so that the same harm has the
 * same text in each execution. The further places say where the memory was allocated, where the
 * lock was acquired, and so on.
 */
#ifndef SM_ABI_HARM_H
#define SM_ABI_HARM_H

#include <stdint.h>

enum sm_severity { SM_SEVERITY_ERROR, SM_SEVERITY_WARNING };

enum sm_role {
#define SM_ROLE(name, word) SM_ROLE_##name,
#include "abi/roles.def"
    SM_ROLES
};

#define SM_HARM_DEPTH 16
#define SM_HARM_PLACES 8
#define SM_HARM_DETAIL 256
#define SM_MAX_WARNINGS 64

struct sm_harm_spot {
    uint32_t thread, site;         /* site: or SM_NO_SITE */
    uint32_t role;                 /* enum sm_role, of a further place */
    uint32_t depth;                /* entries of stack */
    uint64_t stack[SM_HARM_DEPTH]; /* program counters, innermost first */
};

struct sm_harm {
    uint32_t kind; /* enum sm_failure_kind */
    uint32_t n_places;
    uint64_t addr; /* of the memory or the object; 0: none */
    struct sm_harm_spot at;
    struct sm_harm_spot places[SM_HARM_PLACES];
    char detail[SM_HARM_DETAIL];
};

#endif
