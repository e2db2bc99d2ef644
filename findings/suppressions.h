/*
 * suppressions.h - races that are known and not to be reported.
 *
 * The file is ThreadSanitizer's: a line `race:PATTERN` is about any frame of either stack,
 * `race_top:PATTERN` about the two accesses alone, `called_from_lib:PATTERN` about the libraries
 * that any frame is in. A line `FAMILY:PATTERN` is about the failures of a family of
 * abi/failures.def (lock, lock-order, memory, thread ...), of which `mutex:` and `deadlock:` are
 * ThreadSanitizer's names for two: about any frame of their stacks, and the objects they name;
 * `signal:` is read over. Lines about races are also about uses after a free that another thread
 * has made, natively: nothing orders the two. A pattern is found anywhere in a function's name, a
 * file's, the variable's, or that of the library the code is in; `*` stands for anything, `^` and
 * `$` for the ends. A line `atomicity:PATTERN` is about violations of atomicity alone: about their
 * set, units, fields, and the places of their accesses. What stands behind `#` on the line, or
 * alone on the line before, is the reason.
 */
#ifndef SM_FINDINGS_SUPPRESSIONS_H
#define SM_FINDINGS_SUPPRESSIONS_H

#include <stddef.h>

#include "base/status.h"
#include "findings/harm.h"
#include "findings/race.h"

struct sm_suppression {
    char *pattern, *reason; /* reason may be NULL */
    bool top_only;
    bool library_only;
    bool atomicity;     /* not about races, but these */
    const char *family; /* not about races, but failures of this family; or NULL */
    unsigned line;
    size_t used;
};

struct sm_suppressions {
    struct sm_suppression *items;
    size_t n;
};

/* Path NULL: none. */
bool sm_suppressions_read(struct sm_suppressions *list, const char *path, struct sm_error *error);
void sm_suppressions_free(struct sm_suppressions *list);
/* Does one of them match this race? It is then counted as used. */
bool sm_suppressions_match(struct sm_suppressions *list, const struct sm_data_race *race);
/* Does a line about its family match this failure? */
bool sm_suppressions_harm(struct sm_suppressions *list, const struct sm_harm_report *harm);
/* Does a line about atomicity match this text? */
bool sm_suppressions_atomicity(struct sm_suppressions *list, const char *text);
bool sm_pattern_matches(const char *pattern, const char *text);

#endif
