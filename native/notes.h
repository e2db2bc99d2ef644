/*
 * notes.h - memory on which the program declares races to be benign.
 */
#ifndef SM_NATIVE_NOTES_H
#define SM_NATIVE_NOTES_H

#include <stddef.h>
#include <stdint.h>

/* The reason given for not reporting races on this byte; NULL if they are reported. */
const char *sm_note_benign(uintptr_t addr);

#endif
