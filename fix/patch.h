/*
 * patch.h - a set of repairs as a unified diff against the user's sources.
 *
 * Nothing is written to disk. The edited units are parsed again: with an error, or more warnings
 * than before, there is no patch.
 */
#ifndef SM_FIX_PATCH_H
#define SM_FIX_PATCH_H

#include "fix/edits.h"
#include "fix/repairs.h"
#include "fix/units.h"

struct sm_patch {
    char *diff;      /* for patch -p1 in `directory`; NULL: there is none */
    char *why;       /* there is none */
    char *directory; /* the directory of the build, or the one above it that has all files */
    struct sm_source_files sources; /* with their edits */
};

/* True if there is a diff. */
bool sm_patch_make(struct sm_patch *patch, const struct sm_repair_set *repairs,
                   const struct sm_source_units *units);
/* Checks edits that were made elsewhere, and makes their diff. */
bool sm_patch_finish(struct sm_patch *patch, const struct sm_source_units *units);
/* Writes the edited sources; the files keep their modes. */
bool sm_patch_apply(struct sm_patch *patch, struct sm_error *error);
void sm_patch_free(struct sm_patch *patch);

#endif
