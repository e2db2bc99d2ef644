/*
 * flags.c - see flags.h.
 */
#include "native/flags.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "abi/detect.h"
#include "base/sys.h"

struct sm_flags sm_flags = {
#define SM_FLAG(name, type, value) .name = value,
#include "native/flags.def"
};

static const char separators[] = ":, \t\n\r";

struct flag_value {
    const char *text;
    size_t length;
};

/* "true" and "yes" are 1. */
static void set_NUMBER(int *flag, struct flag_value value)
{
    int number = 0;
    for (size_t i = 0; i < value.length && value.text[i] >= '0' && value.text[i] <= '9'; i++)
        number = number * 10 + value.text[i] - '0';
    *flag = value.length && strchr("tTyY", value.text[0]) ? 1 : number;
}

static void set_TEXT(const char **flag, struct flag_value value)
{
    char *copy = sm_alloc(value.length + 1);
    memcpy(copy, value.text, value.length);
    *flag = copy;
}

static bool is_called(const char *name, const char *at, size_t length)
{
    return strlen(name) == length && memcmp(name, at, length) == 0;
}

static void set(const char *name, size_t length, struct flag_value value)
{
#define SM_FLAG(flag, type, unset)                                                                 \
    if (is_called(#flag, name, length))                                                            \
        set_##type(&sm_flags.flag, value);
#include "native/flags.def"
}

static struct flag_value read_value(const char *at)
{
    if (*at == '"' || *at == '\'') {
        const char *end = strchr(at + 1, *at);
        return (struct flag_value){at + 1, end ? (size_t)(end - at - 1) : strlen(at + 1)};
    }
    return (struct flag_value){at, strcspn(at, separators)};
}

void sm_flags_read(const char *text)
{
    while (*(text += strspn(text, separators))) {
        size_t length = strcspn(text, "=:, \t\n\r");
        struct flag_value value = {"", 0};
        const char *name = text;
        text += length;
        if (*text == '=') {
            value = read_value(text + 1);
            text = value.text + value.length + (value.text > text + 1);
        }
        set(name, length, value);
    }
}
