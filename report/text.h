/* text.h - the pieces that the text of several commands has in common. */
#ifndef SM_REPORT_TEXT_H
#define SM_REPORT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "../driver/place.h"

/* What to print before and after words of a kind; all empty without color. */
struct sm_paint {
    const char *bad, *good, *dim, *off;
};
struct sm_paint sm_paint_choose(bool color);

/* "file.c:12:3 (function)", as far as known. */
void sm_text_place(const struct sm_place *place, FILE *to);

#endif
