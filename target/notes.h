/*
 * notes.h - what the user must know of the program to read a result: on standard error.
 */
#ifndef SM_TARGET_NOTES_H
#define SM_TARGET_NOTES_H

#include "abi/control.h"
#include "witness/sites.h"

#include <stdio.h>

/* Each inline assembly statement that was executed and is not understood, with its place, once,
   whichever of the n executions met it. */
void sm_notes_unknown_asm(const struct sm_control *const *controls, size_t n,
                          const struct sm_sites *sites, FILE *to);

#endif
