/* source_line.h - one line of a text file. */
#ifndef SM_TARGET_SOURCE_LINE_H
#define SM_TARGET_SOURCE_LINE_H

#include <stdint.h>
#include <stdio.h>

/* Line `number`, from 1, of a file that was just opened; NULL if it has fewer. To be freed. */
char *sm_source_line(FILE *source, uint32_t number);

#endif
