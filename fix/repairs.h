/* repairs.h - a set of repairs that is tried and written as one. */
#ifndef SM_FIX_REPAIRS_H
#define SM_FIX_REPAIRS_H

#include "base/memory.h"
#include "base/repair.h"

struct sm_repair_set {
    struct sm_repair *items;
    size_t n;
};

void sm_repair_set_add(struct sm_repair_set *set, const struct sm_repair *repair);
/* One line for each, to be freed. */
char *sm_repair_set_text(const struct sm_repair_set *set);
void sm_repair_set_free(struct sm_repair_set *set);

#endif
