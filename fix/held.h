/*
 * held.h - locks that a function holds at an offset of its text, by its syntax.
 *
 * Calls that take and release (`pthread_mutex_lock(&m)`, `m.lock()`) are followed in the order of
 * the text; a guard (`std::lock_guard<std::mutex> guard(m)`) is held up to the end of its block. A
 * lock is named as reports name variables: `m`, and `account.lock` for the member of any account.
 */
#ifndef SM_FIX_HELD_H
#define SM_FIX_HELD_H

#include "fix/tree.h"

void sm_held_at(const struct sm_tree *tree, uint32_t function, size_t offset, struct sm_list *held);

#endif
