/*
 * printable.h - makes text from programs and files safe for a terminal.
 *
 * A program under test controls what it prints, asserts or names its variables, and files may come
 * from anybody: an escape sequence in them must not reach the user's terminal.
 */
#ifndef SM_BASE_PRINTABLE_H
#define SM_BASE_PRINTABLE_H

#include <stddef.h>

/* Replaces each control character except tab and newline by '?', in place: those of ASCII, and
   those of Latin-1 in UTF-8. NUL stays. NULL is allowed. */
void sm_make_printable(char *text, size_t size);
/* The same for a whole text; returns it. */
char *sm_printable(char *text);

#endif
