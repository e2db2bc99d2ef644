/*
 * watch.h - which accesses an execution sees.
 *
 * "all", "none", or names of variables as the site table writes them (`done`, `Point.x`,
 * `table[]`). Names need the site table before the execution, and only the program has it: such a
 * target is run by its fork server.
 */
#ifndef SM_TARGET_WATCH_H
#define SM_TARGET_WATCH_H

#include "base/memory.h"
#include "target/target.h"

/* An empty list means all. */
bool sm_watch(struct sm_target *target, const struct sm_list *names, struct sm_error *error);

#endif
