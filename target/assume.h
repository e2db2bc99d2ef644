/*
 * assume.h - the repairs (abi/repair.h) that executions assume: option --assume-fix.
 */
#ifndef SM_TARGET_ASSUME_H
#define SM_TARGET_ASSUME_H

#include "target/target.h"

/* Reads a file of repairs, one a line, without its comments: into *text, to be freed. NULL gives
   NULL. A line that is no repair is a usage error, with the file's name and the line. */
bool sm_assume_read(const char *path, char **text, struct sm_error *error);
/* Executions of the target from now on assume these; call it before the target is prepared. NULL:
   no file. */
bool sm_assume_file(struct sm_target *target, const char *path, struct sm_error *error);
/* The same for a text; false: it is too long. */
bool sm_assume_text(struct sm_target *target, const char *text, struct sm_error *error);

#endif
