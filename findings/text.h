/* text.h - pieces of text that several commands print. */
#ifndef SM_FINDINGS_TEXT_H
#define SM_FINDINGS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "target/outcome.h"
#include "witness/place.h"

/* What to print before and after words of a kind; all empty without color. */
struct sm_paint {
    const char *bad, *good, *dim, *off;
};
struct sm_paint sm_paint_choose(bool color);

/* "file.c:12:3 (function)", as far as known. */
void sm_text_place(const struct sm_place *place, FILE *to);

/* The same, shortened to so many columns: without the column, then without the function, then
   without the beginning of the path. */
void sm_text_place_within(const struct sm_place *place, int room, FILE *to);
/* Of a terminal; INT_MAX for anything else. */
int sm_text_columns(FILE *to);

/* One line each, after this word. */
void sm_failures_text(const struct sm_failures *failures, const char *word, FILE *to);

#endif
