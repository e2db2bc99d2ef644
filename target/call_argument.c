/* The object of a call, as the source writes it. */
#include "target/call_argument.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "target/source_line.h"

static char *line_at(const struct sm_place *place)
{
    FILE *source = place->file ? fopen(place->file, "r") : NULL;
    if (!source)
        return NULL;
    char *line = sm_source_line(source, place->line);
    fclose(source);
    return line;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || strchr("_.:>-[]", c);
}

/* Of "pool->lock.lock()", with `at` at the last word: "pool->lock". */
static char *object_before(const char *line, const char *at)
{
    const char *end = at;
    if (end > line && end[-1] == '.')
        end--;
    else if (end > line + 1 && end[-1] == '>' && end[-2] == '-')
        end -= 2;
    else
        return NULL;
    const char *start = end;
    while (start > line && is_of_name(start[-1]))
        start--;
    return start < end ? sm_print("%.*s", (int)(end - start), start) : NULL;
}

/* Of "(&pool->lock, limit)": "pool->lock". */
static char *first_argument(const char *open)
{
    open += 1 + strspn(open + 1, " &*");
    size_t length = strcspn(open, ",(){};\n");
    bool whole = open[length] == ',' || open[length] == ')' || open[length] == '}';
    return length && whole ? sm_print("%.*s", (int)length, open) : NULL;
}

char *sm_call_argument(const struct sm_place *place)
{
    char *line = line_at(place), *argument = NULL;
    if (line && place->column && place->column <= strlen(line)) {
        const char *at = line + place->column - 1, *open = at;
        while (isalnum((unsigned char)*open) || *open == '_')
            open++;
        if (open > at && (*open == '(' || *open == '{'))
            argument = open[1] == ')' ? object_before(line, at) : first_argument(open);
    }
    free(line);
    return argument;
}
