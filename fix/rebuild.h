/*
 * rebuild.h - the patched program, built in a copy of the user's directory.
 *
 * The copy is of the directory that the patch is for. Nothing of the user's is changed.
 */
#ifndef SM_FIX_REBUILD_H
#define SM_FIX_REBUILD_H

#include "fix/patch.h"

struct sm_rebuilt {
    char *copy;    /* directory, or NULL */
    char *program; /* path of the new program */
};

/* Copies, patches and runs the command there (NULL: compiles the units with `stalemate cc` and
   their own flags). False with a reason, to be freed. Close it in any case. */
bool sm_rebuild(struct sm_rebuilt *rebuilt, struct sm_patch *patch,
                const struct sm_source_units *units, const char *command, const char *old_program,
                char **why);
/* The program goes to the directory, which is made if need be: a witness of it can be replayed
   after the copy is removed. */
bool sm_rebuilt_keep(struct sm_rebuilt *rebuilt, const char *directory);
/* Removes the copy. */
void sm_rebuilt_close(struct sm_rebuilt *rebuilt);

#endif
