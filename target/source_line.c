#include "target/source_line.h"

#include <stdlib.h>

char *sm_source_line(FILE *source, uint32_t number)
{
    char *line = NULL;
    size_t room = 0;
    uint32_t n = 0;
    while (n < number && getline(&line, &room, source) >= 0)
        n++;
    if (number && n == number)
        return line;
    free(line);
    return NULL;
}
