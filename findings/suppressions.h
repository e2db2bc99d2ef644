/*
 * suppressions.h - findings that are not reported.
 *
 * The format is ThreadSanitizer's. A line `race:PATTERN` is matched against any frame of either
 * stack, `race_top:PATTERN` against the two accesses, `called_from_lib:PATTERN` against the
 * libraries of all frames. A line `FAMILY:PATTERN` is for the failures of a family of
 * abi/failures.def (lock, lock-order, memory, thread ...): it is matched against any frame of their
 * stacks, and the objects they name. `mutex:` and `deadlock:` are ThreadSanitizer's names for lock
 * and lock-order; `signal:` is ignored. Natively, lines for races also apply to uses after a free
 * by another thread: the two are unordered. A pattern may match anywhere in the name of a function,
 * a file, the variable, or the library of the code; `*` matches anything, `^` and `$` the ends. A
 * line `atomicity:PATTERN` is only for atomicity violations: it is matched against their set,
 * units, fields, and the places of their accesses. A comment after `#` on the line, or on the line
 * before, is the reason.
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
    bool atomicity;     /* not for races, but for atomicity */
    const char *family; /* not for races, but for failures of this family; or NULL */
    unsigned line;
    size_t used;
};

struct sm_suppressions {
    struct sm_suppression *items;
    size_t n;
};

/* Path NULL: none. */
bool sm_suppressions_read(struct sm_suppressions *list, const char *path, struct sm_error *error);
/* The same from the lines in `text`; `name` says where they are from. */
bool sm_suppressions_read_text(struct sm_suppressions *list, const char *text, const char *name,
                               struct sm_error *error);
void sm_suppressions_free(struct sm_suppressions *list);
/* Does one of them match this race? It is then counted as used. */
bool sm_suppressions_match(struct sm_suppressions *list, const struct sm_data_race *race);
/* Does a line of its family match this failure? */
bool sm_suppressions_harm(struct sm_suppressions *list, const struct sm_harm_report *harm);
/* Does a line for atomicity match this text? */
bool sm_suppressions_atomicity(struct sm_suppressions *list, const char *text);
bool sm_pattern_matches(const char *pattern, const char *text);

#endif
