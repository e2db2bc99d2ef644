/*
 * locks.h - locks and fences of repairs, written into the sources.
 *
 * A range of statements gets a lock call before it, an unlock call after it, and one before each
 * jump out of it. A range that cannot be left or entered with the lock in the right state is
 * refused.
 */
#ifndef SM_FIX_LOCKS_H
#define SM_FIX_LOCKS_H

#include "fix/repairs.h"
#include "fix/tree.h"

/* Edits the unit's sources for each of its locks and fences, counting them in *written; false with
   a reason, to be freed. */
bool sm_locks_write(const struct sm_tree *tree, const struct sm_repair_set *repairs,
                    size_t *written, char **why);

#endif
