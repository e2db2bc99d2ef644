/*
 * rebuild.h - the patched program, built in a copy of the user's directory.
 *
 * The directory that the patch is for is copied. The user's files are not changed.
 */
#ifndef SM_FIX_REBUILD_H
#define SM_FIX_REBUILD_H

#include "fix/patch.h"

struct sm_rebuilt {
    char *copy;    /* directory, or NULL */
    char *program; /* path of the new program */
};

/* Copies, patches and runs the command there (NULL: compiles the units with `stalemate cc` and
   their own flags). False with a reason, to be freed. Always close it. */
bool sm_rebuild(struct sm_rebuilt *rebuilt, struct sm_patch *patch,
                const struct sm_source_units *units, const char *command, const char *old_program,
                char **why);
/* Keeps the program in the directory, which is created if needed: its witnesses can be replayed
   after the copy is removed. */
bool sm_rebuilt_keep(struct sm_rebuilt *rebuilt, const char *directory);
/* Removes the copy. */
void sm_rebuilt_close(struct sm_rebuilt *rebuilt);

#endif
