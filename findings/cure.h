/*
 * cure.h - what to do about a finding, and how sure that is.
 *
 * Only `stalemate fix` makes cures; it has tried them. Other commands give hints (advice.h) and say
 * that they are untested.
 */
#ifndef SM_FINDINGS_CURE_H
#define SM_FINDINGS_CURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"

/* A repair that was tried and is not enough. Strings are owned. */
struct sm_rejected {
    char *text;    /* the repair, a clause */
    char *why;     /* what fails under it */
    char *witness; /* file, or NULL */
};

struct sm_cure_found {
    char *text;  /* the repair as one sentence; or that there is none */
    char *patch; /* unified diff, or NULL */
    char *directory;
    char *no_patch; /* why there is none, or NULL */
    char *repairs;  /* for --assume-fix, or NULL */
    /* Why the patch was only assumed, not built and judged as a program; or NULL. */
    char *not_built;
    bool tried;
    char *by; /* "verify", "hunt", "build"; NULL if not tried */
    bool exact;
    struct sm_rejected *rejected;
    size_t n_rejected;
};

void sm_cure_free(struct sm_cure_found *cure); /* and the struct; may be NULL */
struct sm_cure_found *sm_cure_copy(const struct sm_cure_found *cure);
json_t *sm_cure_json(const struct sm_cure_found *cure);  /* NULL gives null */
struct sm_cure_found *sm_cure_parse(const json_t *json); /* NULL if it is none */
/* The repair, how sure it is, what was rejected, and the diff. */
void sm_cure_print(const struct sm_cure_found *cure, FILE *to);

#endif
