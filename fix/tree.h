/*
 * tree.h - a translation unit as a flat array of syntax nodes, in preorder, by libclang.
 *
 * Only what the user wrote is in it: declarations of system headers are left out. Offsets are those
 * of the file in which the text of a node is spelled; an argument of a macro is spelled where the
 * macro is used, so it can be edited there. A node from the body of a macro has the extent of the
 * macro's use; sm_tree_spells is false for it.
 */
#ifndef SM_FIX_TREE_H
#define SM_FIX_TREE_H

#include "syntax/clang.h"

#include "fix/edits.h"
#include "fix/units.h"

#define SM_NO_SYNTAX UINT32_MAX

struct sm_syntax {
    CXCursor cursor;
    enum CXCursorKind kind;
    uint32_t parent, last;         /* last: the first node that is not below this one */
    struct sm_source_file *source; /* NULL: not in a file that can be edited */
    uint32_t start, end;
    uint32_t line, last_line; /* 0: in no file */
};

struct sm_tree {
    const struct sm_source_unit *unit;
    struct sm_source_files *sources;
    CXIndex index;
    CXTranslationUnit parsed;
    struct sm_syntax *nodes;
    uint32_t n;
};

/* False with a reason, to be freed, if the unit cannot be parsed without an error. */
bool sm_tree_open(struct sm_tree *tree, const struct sm_source_unit *unit,
                  struct sm_source_files *sources, char **why);
void sm_tree_close(struct sm_tree *tree);

struct sm_trees {
    struct sm_tree *items;
    size_t n;
};

/* All units of a program; also loads libclang. Always close it. */
bool sm_trees_open(struct sm_trees *trees, const struct sm_source_units *units,
                   struct sm_source_files *sources, char **why);
void sm_trees_close(struct sm_trees *trees);

/* The first error or new warning that the edited sources have, to be freed; NULL if there is none.
   Warnings are those of -Wall -Wextra. */
char *sm_tree_complaint(const struct sm_source_unit *unit, struct sm_source_files *sources);

/* ---- nodes ---- */

uint32_t sm_tree_child(const struct sm_tree *tree, uint32_t node, uint32_t i); /* or SM_NO_SYNTAX */
uint32_t sm_tree_sibling(const struct sm_tree *tree, uint32_t node);           /* or SM_NO_SYNTAX */
bool sm_tree_within(const struct sm_tree *tree, uint32_t node, uint32_t above);
/* Up to the next node that is of that kind; SM_NO_SYNTAX. */
uint32_t sm_tree_above(const struct sm_tree *tree, uint32_t node, enum CXCursorKind kind);
/* Is this the text at the node's end? A reference `a.b` spells "b" unless it is in a macro. */
bool sm_tree_spells(const struct sm_tree *tree, uint32_t node, const char *name);
char *sm_tree_text(const struct sm_tree *tree, uint32_t node); /* to be freed */
char *sm_tree_name(const struct sm_tree *tree, uint32_t node); /* to be freed */

#endif
