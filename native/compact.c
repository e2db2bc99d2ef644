/*
 * compact.c - sm_cell_compact: see marks.h. Called with the program's registers in use (paths.c).
 */
#include "native/marks.h"

/* The marks are of one slot, whose accesses are ordered. If `newer` is the later one and as strong,
   whatever races with `older` on their common bytes also races with `newer`. */
static bool dominates(uint32_t newer, uint32_t older)
{
    uint32_t from = sm_epoch_expand(sm_mark_epoch(older));
    uint32_t to = sm_epoch_expand(sm_mark_epoch(newer));
    bool as_strong = (newer & SM_MARK_WRITE) || !(older & SM_MARK_WRITE);
    bool covers = from == to && (newer & ~older & SM_MARK_WRITE);
    return as_strong && (from < to || covers) && sm_epoch_slot(from) == sm_epoch_slot(to);
}

static void meet(struct sm_cell *cell, unsigned i, unsigned j)
{
    uint32_t older = sm_cell_mark(cell, i), newer = sm_cell_mark(cell, j);
    if (!older || !newer)
        return;
    if (((older ^ newer) & ~SM_MARK_BYTES) == 0) {
        sm_cell_put(cell, j, older & SM_MARK_BYTES);
        sm_cell_cut(cell, i, older, SM_MARK_BYTES);
    } else if ((older & newer & SM_MARK_BYTES) && dominates(newer, older)) {
        sm_cell_cut(cell, i, older, newer & SM_MARK_BYTES);
    }
}

SM_COLD_PATH void sm_cell_compact(struct sm_cell *cell)
{
    for (unsigned i = 0; i < SM_MARKS; i++)
        for (unsigned j = 0; j < SM_MARKS; j++)
            if (i != j)
                meet(cell, i, j);
}
