/*
 * notes.h - what the program says about its memory: races that are meant.
 */
#ifndef SM_NATIVE_NOTES_H
#define SM_NATIVE_NOTES_H

#include <stddef.h>
#include <stdint.h>

/* Why a race on this byte is not to be reported; NULL if it is. */
const char *sm_note_benign(uintptr_t addr);

#endif
