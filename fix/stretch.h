/*
 * stretch.h - finds the statements that enclose lines of the source, and puts text around them.
 *
 * A stretch is consecutive statements of one compound statement, or the single body of an `if` or a
 * loop without braces (which gets them).
 */
#ifndef SM_FIX_STRETCH_H
#define SM_FIX_STRETCH_H

#include "fix/tree.h"

struct sm_stretch {
    uint32_t first, last; /* nodes, siblings */
    uint32_t function;    /* node */
    bool several;         /* several functions have its lines, and it is not known which is meant */
    struct sm_source_file *source;
};

/* The smallest stretch that has all of these lines; false if no function of the unit has them. */
bool sm_stretch_find(const struct sm_tree *tree, const char *file, uint32_t line, uint32_t last,
                     struct sm_stretch *stretch);
/* Adds lines before the first and after the last statement; either may be NULL. */
void sm_stretch_wrap(const struct sm_tree *tree, const struct sm_stretch *stretch,
                     const char *before, const char *behind);
bool sm_stretch_has(const struct sm_tree *tree, const struct sm_stretch *stretch, uint32_t node);
/* Where the statement ends, with its semicolon. */
size_t sm_statement_end(const struct sm_tree *tree, uint32_t statement);
/* Is it the body of an `if` or a loop, without braces? */
bool sm_statement_is_bare(const struct sm_tree *tree, uint32_t statement);

#endif
