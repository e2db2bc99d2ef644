/*
 * story.h - what happened in a failing execution, in a few lines.
 *
 * Reads the records of a witness: which read of a lied-about variable saw what it should
 * not have seen, who had written that, and what had been written since. Nothing is
 * executed.
 */
#ifndef SM_DRIVER_STORY_H
#define SM_DRIVER_STORY_H

#include "witness.h"

/* Adds lines; `variable` is the variable lied about. */
void sm_story_tell(const struct sm_witness *witness, const char *variable, struct sm_list *lines);

#endif
