/*
 * screen.h - some executions under `sc`, each recorded: does one race, or fail?
 *
 * A race that verify found has no witness; and verify and a hunt take long for a candidate that
 * leaves half of the races. This gives both a witness: an execution of the program with its
 * repairs, in which the race happens.
 */
#ifndef SM_FIX_SCREEN_H
#define SM_FIX_SCREEN_H

#include "base/options.h"

struct sm_screen {
    const struct sm_settings *settings; /* the program is its first operand */
    const char *assumption;             /* file for --assume-fix, or NULL */
    const char *variable;               /* search only for a race on it; NULL: for any failure or
                                           race */
    const struct sm_list *accepted;     /* variables whose races do not count */
    unsigned executions;                /* at most */
    double deadline;                    /* of sm_now(); 0: none */
    const char *path;                   /* of the witness */
};

/* *found: what was found, a sentence to be freed, and the witness is written; NULL: nothing. */
bool sm_screen(const struct sm_screen *screen, char **found, struct sm_error *error);

#endif
