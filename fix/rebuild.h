/*
 * rebuild.h - the patched program, built to be executed.
 *
 * The user's files are not changed. By the user's command it is built in a copy of the directory
 * that the patch is for; without one, each unit is compiled by `stalemate cc` with its own flags,
 * and all are linked with the libraries of the program.
 */
#ifndef SM_FIX_REBUILD_H
#define SM_FIX_REBUILD_H

#include "fix/patch.h"

struct sm_rebuilt {
    char *directory; /* removed at the end; or NULL */
    char *program;   /* path of the new program; NULL: not built */
};

/* `command` may be NULL. False with a reason, to be freed. Always close it. */
bool sm_rebuild(struct sm_rebuilt *rebuilt, struct sm_patch *patch,
                const struct sm_source_units *units, const char *command, const char *old_program,
                char **why);
/* Keeps the program in the directory, which is created if needed: its witnesses can be replayed
   after the directory is removed. */
bool sm_rebuilt_keep(struct sm_rebuilt *rebuilt, const char *directory);
/* Removes the copy. */
void sm_rebuilt_close(struct sm_rebuilt *rebuilt);

#endif
