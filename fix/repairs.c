/* repairs.c - see repairs.h. */
#include "fix/repairs.h"

#include <stdlib.h>

void sm_repair_set_add(struct sm_repair_set *set, const struct sm_repair *repair)
{
    set->items = sm_resize(set->items, (set->n + 1) * sizeof(*set->items));
    set->items[set->n++] = *repair;
}

char *sm_repair_set_text(const struct sm_repair_set *set)
{
    struct sm_buffer text = {0};
    char line[SM_REPAIR_LINE];
    for (size_t i = 0; i < set->n; i++) {
        sm_repair_print(&set->items[i], line, sizeof(line));
        sm_buffer_print(&text, "%s\n", line);
    }
    return text.data ? text.data : sm_copy_text("");
}

void sm_repair_set_free(struct sm_repair_set *set)
{
    free(set->items);
    *set = (struct sm_repair_set){0};
}
