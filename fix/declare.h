/*
 * declare.h - declarations of variables made atomic, and the headers that new text needs.
 */
#ifndef SM_FIX_DECLARE_H
#define SM_FIX_DECLARE_H

#include "fix/tree.h"

/* Makes every declaration of the variable in this unit atomic: `_Atomic` in C, std::atomic in C++.
   One that is already atomic stays. `usrs` are all variables that become atomic: a declaration that
   has only these need not be split. False with a reason, to be freed. */
bool sm_declare_atomic(const struct sm_tree *tree, const char *usr, const struct sm_list *usrs,
                       char **why);
/* Adds #include lines for what the edits of the source name, unless they are there. */
void sm_declare_includes(struct sm_source_file *source);

#endif
