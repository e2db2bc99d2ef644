#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "findings/text.h"

#include "findings/voice.h"

struct sm_paint sm_paint_choose(bool color)
{
    static const struct sm_paint none = {"", "", "", ""};
    static const struct sm_paint ansi = {"\033[1;31m", "\033[1;32m", "\033[2m", "\033[0m"};
    return color ? ansi : none;
}

void sm_text_place(const struct sm_place *place, FILE *to)
{
    if (place->file)
        fprintf(to, "%s:%u", place->file, place->line);
    if (place->file && place->column)
        fprintf(to, ":%u", place->column);
    if (place->function)
        fprintf(to, "%s%s%s", place->file ? " (" : "", place->function, place->file ? ")" : "");
}

void sm_text_place_within(const struct sm_place *place, int room, FILE *to)
{
    enum { SHORTEST = 8 }; /* narrower would be unreadable: let it overflow */
    struct sm_place shorter = *place;
    for (int left_out = 0;; left_out++) {
        char *text = NULL;
        size_t size = 0;
        FILE *memory = open_memstream(&text, &size);
        sm_text_place(&shorter, memory);
        fclose(memory);
        bool fits = room < SHORTEST || size <= (size_t)room;
        if (fits)
            fputs(text, to);
        else if (left_out == 2)
            fprintf(to, "...%s", text + size - (size_t)room + 3);
        free(text);
        if (fits || left_out == 2)
            return;
        if (left_out == 0)
            shorter.column = 0;
        else
            shorter.function = shorter.file ? NULL : shorter.function;
    }
}

int sm_text_columns(FILE *to)
{
    struct winsize size;
    return ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : INT_MAX;
}

void sm_failures_text(const struct sm_failures *failures, const char *word, FILE *to)
{
    for (size_t i = 0; i < failures->n; i++) {
        struct sm_buffer text = {0};
        sm_voice_failure_kind(&text, &failures->items[i]);
        fprintf(to, "%s: %s\n", word, text.data);
        sm_buffer_free(&text);
    }
}
