/*
 * repair.h - repairs (abi/repair.h) as text, and the places and accesses they apply to.
 *
 * Pure functions that allocate nothing: the runtime links them, too.
 */
#ifndef SM_BASE_REPAIR_H
#define SM_BASE_REPAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/repair.h"

/* Room for a line that sm_repair_print writes. */
enum { SM_REPAIR_LINE = 512 };

struct sm_repair_error {
    unsigned line;   /* of the text, from 1 */
    const char *why; /* a sentence without its end */
};

/* One line, without its newline. False: `error` says why; *blank: the line is empty, not an
   error. */
bool sm_repair_parse(const char *text, size_t size, struct sm_repair *repair, bool *blank,
                     const char **why);
/* A whole text; returns the number of repairs, at most SM_MAX_REPAIRS, or -1 and the error. */
int sm_repairs_parse(const char *text, struct sm_repair to[SM_MAX_REPAIRS],
                     struct sm_repair_error *error);
/* The line that parses to this repair, without newline, cut to `size`; returns its length. */
size_t sm_repair_print(const struct sm_repair *repair, char *to, size_t size);

/* Its FILE matches: equal, or the shorter path is the last components of the longer. */
bool sm_repair_is_in(const struct sm_repair *repair, const char *file);
/* It applies to this place; `line` lies in its stretch, the column matches if it names one. */
bool sm_repair_is_at(const struct sm_repair *repair, const char *file, unsigned line,
                     unsigned column);

/* As the text form spells it. */
extern const char *const sm_order_words[SM_ORDERS + 1];

#endif
