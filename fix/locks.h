/*
 * locks.h - locks and fences of repairs, written into the sources.
 *
 * A stretch of statements gets a lock call before it and an unlock call behind it, and one before
 * each jump out of it. What cannot be left or entered with the lock in the right state is refused.
 */
#ifndef SM_FIX_LOCKS_H
#define SM_FIX_LOCKS_H

#include "fix/repairs.h"
#include "fix/tree.h"

/* Edits the unit's sources for each lock and fence in it, counting them in *written; false with a
   reason, to be freed. */
bool sm_locks_write(const struct sm_tree *tree, const struct sm_repair_set *repairs,
                    size_t *written, char **why);

#endif
