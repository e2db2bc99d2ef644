/*
 * scan.c - formatted input: the scanf family. libc stores what it has converted; how much that was
 * its result says. scanf(), fscanf() and sscanf() have other names where the standard is C99.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/sys.h"
#include "core/libc/access.h"
#include "core/libc/format.h"

typedef const struct sm_site *site_t;

/* ---- directives ---- */

struct directive {
    char letter;
    bool suppressed, allocates, wide;
    bool adjacent; /* nothing is between it and the one before, which could fail */
    size_t size;   /* of what it stores; of text: of a character */
    size_t width;
};

static size_t real_size(const char *modifier, size_t n)
{
    if (!n)
        return sizeof(float);
    return *modifier == 'L' ? sizeof(long double) : sizeof(double);
}

/* The character behind a set: in "[]a]" and "[^]a]" the first bracket belongs to it. */
static const char *set_end(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    return strchrnul(at, ']');
}

static void set_size(struct directive *found, const char *modifier, size_t n)
{
    found->wide = found->letter == 'S' || found->letter == 'C' || (n && *modifier == 'l');
    if (found->allocates || found->letter == 'p')
        found->size = sizeof(void *);
    else if (strchr("sScC[", found->letter))
        found->size = found->wide ? sizeof(wchar_t) : sizeof(char);
    else if (strchr("aAeEfFgG", found->letter))
        found->size = real_size(modifier, n);
    else
        found->size = sm_format_integer(modifier, n);
}

/* False: there are no more, or one that is not known (numbered arguments). */
static bool next_directive(const char **at, struct directive *found)
{
    const char *start = *at, *percent = strchrnul(start, '%'), *end = percent + (*percent != 0);
    *found = (struct directive){.adjacent = percent == start};
    end += strspn(end, "'I");
    found->suppressed = *end == '*';
    end += found->suppressed;
    for (; *end >= '0' && *end <= '9'; end++)
        found->width = found->width * 10 + (size_t)(*end - '0');
    found->allocates = *end == 'm';
    end += found->allocates;
    const char *modifier = end;
    size_t n = strspn(end, SM_SIZE_LETTERS);
    found->letter = *(end += n);
    if (!found->letter || !strchr("%diouxXnpaAeEfFgGsScC[", found->letter))
        return false;
    set_size(found, modifier, n);
    if (found->letter == '[')
        end = set_end(end + 1);
    *at = end + (*end != 0);
    return true;
}

/* ---- what a call stores ---- */

static size_t stored_size(const struct directive *one, const void *at)
{
    if (one->allocates || !strchr("sScC[", one->letter))
        return one->size;
    if (one->letter == 'c' || one->letter == 'C')
        return one->size * (one->width ? one->width : 1);
    return one->size * ((one->wide ? wcslen(at) : strlen(at)) + 1);
}

/* What "%n" stores is not in the result: it was reached if what comes before was converted. */
static void values_written(const char *format, va_list list, int result, site_t site)
{
    struct directive one;
    for (int n = 0; next_directive(&format, &one);) {
        if (one.suppressed || one.letter == '%')
            continue;
        bool counts = one.letter != 'n', reached = n < result || (!counts && one.adjacent);
        if (!reached)
            return;
        const void *at = va_arg(list, const void *);
        sm_wrote(at, stored_size(&one, at), site);
        n += counts;
    }
}

#define PLAIN_SCAN(...) __VA_ARGS__
#define SCANNING_INTO(name, vname, parameters, passed, input)                                      \
    int vname(PLAIN_SCAN parameters const char *format, va_list list);                             \
    SM_EXPORT int sm_lib_##vname(PLAIN_SCAN parameters const char *format, va_list list,           \
                                 site_t site)                                                      \
    {                                                                                              \
        struct sm_looked_at seen_format;                                                           \
        va_list again;                                                                             \
        input;                                                                                     \
        format = sm_read_string(&seen_format, format, SIZE_MAX, site);                             \
        va_copy(again, list);                                                                      \
        int n = vname(PLAIN_SCAN passed format, list);                                             \
        values_written(format, again, n, site);                                                    \
        va_end(again);                                                                             \
        return n;                                                                                  \
    }                                                                                              \
    SM_EXPORT int sm_lib_##name(site_t site, PLAIN_SCAN parameters const char *format, ...)        \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int n = sm_lib_##vname(PLAIN_SCAN passed format, list, site);                              \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }
#define NO_TEXT
#define READS_TEXT                                                                                 \
    struct sm_looked_at seen_text;                                                                 \
    text = sm_read_string(&seen_text, text, SIZE_MAX, site)
SCANNING_INTO(__isoc99_scanf, __isoc99_vscanf, (), (), NO_TEXT)
SCANNING_INTO(__isoc99_fscanf, __isoc99_vfscanf, (FILE * from, ), (from, ), NO_TEXT)
SCANNING_INTO(__isoc99_sscanf, __isoc99_vsscanf, (const char *text, ), (text, ), READS_TEXT)
