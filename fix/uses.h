/*
 * uses.h - what each reference to a variable does with it, by the syntax around it.
 *
 * A variable is a declaration (global, static local, field), including its elements: references to
 * `table` in `table[i] = 1` are uses of the lvalue `table[i]`. The name is that of reports: "done",
 * "Point.x", "table[]", "node.next".
 */
#ifndef SM_FIX_USES_H
#define SM_FIX_USES_H

#include "fix/tree.h"

enum sm_use_kind {
    SM_USE_LOAD,
    SM_USE_STORE,   /* `x = e` */
    SM_USE_UPDATE,  /* `x++`, `x += e`, `x = x + e` */
    SM_USE_CALL,    /* `atomic_store(&x, e)` and its kin */
    SM_USE_METHOD,  /* `x.store(e)` */
    SM_USE_NOTHING, /* `sizeof x`: no access */
    SM_USE_ADDRESS  /* `&x`, or the array as a whole: any access is possible */
};

struct sm_use {
    enum sm_use_kind kind;
    uint32_t lvalue;    /* node */
    uint32_t whole;     /* node: of the assignment, the update, the call */
    uint32_t operand;   /* node: what is stored or added; SM_NO_SYNTAX: 1 */
    uint32_t again;     /* node: the second `x` of `x = x + e`; else SM_NO_SYNTAX */
    const char *update; /* "add", "sub", "or", "and", "xor"; NULL: no atomic function does it */
    bool is_statement;  /* its value is not used */
    bool gives_old;     /* of an update whose value is used */
    bool in_macro;      /* its text is in the body of a macro */
};

/* Is this node a reference to the declaration whose USR is given? */
bool sm_tree_refers(const struct sm_tree *tree, uint32_t node, const char *usr);
/* What it refers to, as reports name it: "ready", "ring.head". To be freed. */
char *sm_tree_reference_name(const struct sm_tree *tree, uint32_t reference);
/* What the reference does. */
struct sm_use sm_use_of(const struct sm_tree *tree, uint32_t reference);
/* The declaration (node) of that name; SM_NO_SYNTAX. `function`: its static locals come first; may
   be NULL. */
uint32_t sm_tree_variable(const struct sm_tree *tree, const char *name, const char *function);
/* The declaration's USR, to be freed: the same in each unit for the same linked object. */
char *sm_tree_usr(const struct sm_tree *tree, uint32_t declaration);

#endif
