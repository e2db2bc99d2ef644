#include "base/printable.h"

#include <stdbool.h>
#include <string.h>

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != 0) || c == 0x7f;
}

void sm_make_printable(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        bool c1 = c == 0xc2 && i + 1 < size && ((unsigned char)text[i + 1] & 0xe0) == 0x80;
        if (is_control(c) || c1)
            text[i] = '?';
        if (c1)
            text[++i] = '?';
    }
}

char *sm_printable(char *text)
{
    if (text)
        sm_make_printable(text, strlen(text));
    return text;
}
