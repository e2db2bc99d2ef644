/*
 * orders.h - the orders of repairs, written into the accesses to a variable.
 *
 * In C a variable becomes `_Atomic` and its accesses calls of <stdatomic.h>; in C++ it becomes a
 * std::atomic and its accesses methods. A variable that the program accesses by the compiler's
 * __atomic functions stays plain, and gets more of them. An access without an order in the repairs
 * is not changed: an operator on an atomic variable is sequentially consistent.
 */
#ifndef SM_FIX_ORDERS_H
#define SM_FIX_ORDERS_H

#include "fix/repairs.h"
#include "fix/uses.h"

/* Adds the USR of each variable that an order or a merge names in this unit. False if there is none
   whose declaration could be changed: memory behind a pointer has none, and that of a union has
   several. */
bool sm_orders_variables(const struct sm_tree *tree, const struct sm_repair *repair,
                         struct sm_list *usrs);
/* Edits the unit's sources; false with a reason, to be freed. */
bool sm_orders_write(const struct sm_tree *tree, const struct sm_repair_set *repairs,
                     const struct sm_list *usrs, char **why);

#endif
