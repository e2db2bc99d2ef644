/*
 * printable.h - text from programs and from files, made fit for a terminal.
 *
 * What a program under test prints, asserts or names its variables is its own, and so is what
 * stands in a file that somebody sent: an escape sequence in it must not reach the user's terminal.
 */
#ifndef SM_BASE_PRINTABLE_H
#define SM_BASE_PRINTABLE_H

#include <stddef.h>

/* Each control character but tab and newline becomes '?', in place: those of ASCII, and those of
   Latin-1 in UTF-8. NUL stays. NULL is fine. */
void sm_make_printable(char *text, size_t size);
/* The same for a whole text; returns it. */
char *sm_printable(char *text);

#endif
