/*
 * harm.h - a failure that the native runtime has noticed, ready to be shown.
 *
 * Like findings/race.h: filled inside the program, and printed there by harm_text.c or passed to
 * the command as JSON, from which the command makes a struct sm_failure (sm_parse_failure).
 */
#ifndef SM_FINDINGS_HARM_H
#define SM_FINDINGS_HARM_H

#include "abi/control.h"
#include "findings/race.h"

struct sm_harm_step {
    const char *role;   /* of abi/roles.def; NULL: the operation that failed */
    const char *object; /* what was locked there; NULL: unknown, or what the detail says */
    struct sm_access access;
};

struct sm_harm_report {
    const char *kind, *detail, *advice; /* of abi/failures.def */
    const struct sm_harm_step *steps;   /* the first is the failing operation */
    uint32_t n_steps;
    bool raced; /* the two are unordered: ThreadSanitizer's suppressions of races match it, too */
};

/* Natively accesses to freed memory are found as races. */
static inline bool sm_harm_is_raced(int kind)
{
    return kind == SM_FAILURE_USE_AFTER_FREE || kind == SM_FAILURE_DOUBLE_FREE;
}

void sm_harm_print_text(const struct sm_harm_report *report, const char *heading,
                        struct sm_sink *sink);
/* {"failure":{...}}, in one line. */
void sm_harm_print_json(const struct sm_harm_report *report, struct sm_sink *sink);

#endif
