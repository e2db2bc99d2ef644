/*
 * notes.h - notes about the program that the user needs to interpret a result: on standard error.
 */
#ifndef SM_TARGET_NOTES_H
#define SM_TARGET_NOTES_H

#include "abi/control.h"
#include "witness/sites.h"

#include <stdio.h>

/* Each inline assembly statement that was executed and is not understood, with its place, once, in
   whichever of the n executions. */
void sm_notes_unknown_asm(const struct sm_control *const *controls, size_t n,
                          const struct sm_sites *sites, FILE *to);

#endif
