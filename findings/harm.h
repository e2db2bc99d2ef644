/*
 * harm.h - a failure that the native runtime has noticed, ready to be shown.
 *
 * As findings/race.h: filled inside the program, printed there by harm_text.c, or handed to the
 * command as JSON, which makes a struct sm_failure of it (sm_parse_failure).
 */
#ifndef SM_FINDINGS_HARM_H
#define SM_FINDINGS_HARM_H

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
};

void sm_harm_print_text(const struct sm_harm_report *report, const char *heading,
                        struct sm_sink *sink);
/* {"failure":{...}}, in one line. */
void sm_harm_print_json(const struct sm_harm_report *report, struct sm_sink *sink);

#endif
