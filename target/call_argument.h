/*
 * call_argument.h - the object of a call, as written in the source.
 *
 * For locks without a symbol, in blocks and on stacks: "pool->lock" of
 * "pthread_mutex_lock(&pool->lock)", "mutex_" of "std::lock_guard<std::mutex> hold(mutex_)" and of
 * "mutex_.lock()". Only the text of one line is used.
 */
#ifndef SM_TARGET_CALL_ARGUMENT_H
#define SM_TARGET_CALL_ARGUMENT_H

#include "witness/place.h"

/* To be freed; NULL if the line cannot be read, or has something else in that column. The file is
   searched for where the command runs. */
char *sm_call_argument(const struct sm_place *place);

#endif
