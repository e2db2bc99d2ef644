/* child.h - commands as child processes: stalemate itself, and the user's build. */
#ifndef SM_FIX_CHILD_H
#define SM_FIX_CHILD_H

#include <jansson.h>

#include "base/options.h"

/* Runs `stalemate COMMAND OPTIONS --json FILE --out DIRECTORY -- PROGRAM ARGS...` quietly, with
   those settings that the command has as options (bit 0: none); returns its JSON, NULL if it wrote
   none. */
json_t *sm_child_json(const struct sm_settings *settings, enum sm_command_bit bit,
                      const char *command, const struct sm_list *options, const char *directory);
/* sh -c COMMAND in a directory, with a log of the output there; true if it exits with 0. */
bool sm_child_shell(const char *command, const char *directory);

#endif
