/*
 * string.c - library functions that read or write the program's memory.
 *
 * The pass calls these in place of the functions that libc.def marks LIBRARY when the call is
 * watched. Each shows what it is about to read, which is a scheduling point, does the work with
 * libc's function, and shows what it wrote; from the first to the last of these no other
 * thread runs. How far a string function reads depends on what it finds, and that is found
 * out before the scheduling point: a string that others change there, which is a race that
 * the part shown already tells of, may be read further than is shown.
 *
 * An engine that holds the contents of memory itself (sm_range_by_bytes) puts the right bytes there
 * only after the reads that are shown: there strings are read byte by byte, and what is written is
 * stored for the function, byte by byte, too, so that it is the same for whoever reads it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "core/libc/range.h"

typedef const struct sm_site *site_t;

static void reads(const void *from, size_t size, site_t site)
{
    sm_range(SM_EV_LOAD, from, size, site);
}

static void also_reads(const void *from, size_t size, site_t site)
{
    sm_range_more(SM_EV_LOAD, from, size, site);
}

static void wrote(const void *to, size_t size, site_t site)
{
    sm_range_more(SM_EV_STORE, to, size, site);
}

/* Bytes that a function reads which stops at the end of the string, or after limit. */
static size_t extent(const char *s, size_t limit)
{
    size_t length = strnlen(s, limit);
    return length < limit ? length + 1 : limit;
}

/* Bytes of each of two strings up to the first difference, which is looked at. */
static size_t common_extent(const char *a, const char *b, size_t limit)
{
    size_t n = 0;
    while (n < limit && a[n] == b[n] && a[n])
        n++;
    return n < limit ? n + 1 : limit;
}

/* ---- byte by byte ---- */

static char see(const char *s, size_t nth, bool point, site_t site)
{
    if (point && nth == 0)
        reads(s, 1, site);
    else
        also_reads(s + nth, 1, site);
    return s[nth];
}

static void see_string(const char *s, size_t limit, bool point, site_t site)
{
    size_t n = 0;
    while (n < limit && see(s, n, point, site))
        n++;
}

static void see_both(const char *a, const char *b, size_t limit, bool strings, site_t site)
{
    for (size_t n = 0; n < limit; n++) {
        bool over = !see(a, n, true, site) && strings;
        if (see(b, n, false, site) != a[n] || over)
            return;
    }
}

/* ---- everywhere ---- */

static void reads_string(const char *s, size_t limit, site_t site)
{
    if (sm_range_by_bytes())
        see_string(s, limit, true, site);
    else
        reads(s, extent(s, limit), site);
}

static void also_reads_string(const char *s, size_t limit, site_t site)
{
    if (sm_range_by_bytes())
        see_string(s, limit, false, site);
    else
        also_reads(s, extent(s, limit), site);
}

/* The bytes are not yet there. */
static void writes(char *to, const void *bytes, size_t size, site_t site)
{
    for (size_t i = 0; sm_range_by_bytes() && i < size; i++)
        sm_range_store(to + i, (const char *)bytes + i, 1, site);
    if (sm_range_by_bytes())
        return;
    memmove(to, bytes, size);
    wrote(to, size, site);
}

SM_EXPORT int sm_lib_memcmp(const void *a, const void *b, size_t size, site_t site)
{
    const char *x = a, *y = b;
    size_t n = 0;
    if (sm_range_by_bytes()) {
        see_both(a, b, size, false, site);
        return memcmp(a, b, size);
    }
    while (n < size && x[n] == y[n])
        n++;
    n = n < size ? n + 1 : size;
    reads(a, n, site);
    also_reads(b, n, site);
    return memcmp(a, b, size);
}

SM_EXPORT void *sm_lib_memchr(const void *s, int c, size_t size, site_t site)
{
    const char *found = memchr(s, c, size);
    size_t n = 0;
    while (sm_range_by_bytes() && n < size && see(s, n, true, site) != (char)c)
        n++;
    if (!sm_range_by_bytes())
        reads(s, found ? (size_t)(found - (const char *)s) + 1 : size, site);
    return memchr(s, c, size);
}

SM_EXPORT size_t sm_lib_strlen(const char *s, site_t site)
{
    reads_string(s, SIZE_MAX, site);
    return strlen(s);
}

SM_EXPORT size_t sm_lib_strnlen(const char *s, size_t limit, site_t site)
{
    reads_string(s, limit, site);
    return strnlen(s, limit);
}

static void reads_both(const char *a, const char *b, size_t limit, site_t site)
{
    if (sm_range_by_bytes()) {
        see_both(a, b, limit, true, site);
        return;
    }
    size_t n = common_extent(a, b, limit);
    reads(a, n, site);
    also_reads(b, n, site);
}

SM_EXPORT int sm_lib_strcmp(const char *a, const char *b, site_t site)
{
    reads_both(a, b, SIZE_MAX, site);
    return strcmp(a, b);
}

SM_EXPORT int sm_lib_strncmp(const char *a, const char *b, size_t limit, site_t site)
{
    reads_both(a, b, limit, site);
    return strncmp(a, b, limit);
}

SM_EXPORT char *sm_lib_strcpy(char *to, const char *from, site_t site)
{
    reads_string(from, SIZE_MAX, site);
    writes(to, from, strlen(from) + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strncpy(char *to, const char *from, size_t size, site_t site)
{
    static const char zeros[64];
    reads_string(from, size, site);
    size_t n = strnlen(from, size);
    if (!sm_range_by_bytes()) {
        strncpy(to, from, size);
        wrote(to, size, site);
        return to;
    }
    writes(to, from, n, site);
    for (size_t piece; n < size; n += piece) {
        piece = size - n < sizeof zeros ? size - n : sizeof zeros;
        writes(to + n, zeros, piece, site);
    }
    return to;
}

SM_EXPORT char *sm_lib_strcat(char *to, const char *from, site_t site)
{
    reads_string(to, SIZE_MAX, site);
    also_reads_string(from, SIZE_MAX, site);
    writes(to + strlen(to), from, strlen(from) + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strncat(char *to, const char *from, size_t limit, site_t site)
{
    reads_string(to, SIZE_MAX, site);
    also_reads_string(from, limit, site);
    char *end = to + strlen(to);
    size_t n = strnlen(from, limit);
    if (!sm_range_by_bytes()) {
        strncat(end, from, limit);
        wrote(end, n + 1, site);
        return to;
    }
    writes(end, from, n, site);
    writes(end + n, "", 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strchr(const char *s, int c, site_t site)
{
    const char *found = strchrnul(s, c);
    size_t n = 0;
    while (sm_range_by_bytes() && see(s, n, true, site) && s[n] != (char)c)
        n++;
    if (!sm_range_by_bytes())
        reads(s, (size_t)(found - s) + 1, site);
    return strchr(s, c);
}

SM_EXPORT char *sm_lib_strrchr(const char *s, int c, site_t site)
{
    reads_string(s, SIZE_MAX, site);
    return strrchr(s, c);
}

SM_EXPORT char *sm_lib_strstr(const char *s, const char *part, site_t site)
{
    const char *found = strstr(s, part);
    size_t length = strlen(part);
    reads_string(part, SIZE_MAX, site);
    if (!sm_range_by_bytes() && found)
        also_reads(s, (size_t)(found - s) + length, site);
    else
        also_reads_string(s, SIZE_MAX, site);
    return strstr(s, part);
}

SM_EXPORT char *sm_lib_strdup(const char *s, site_t site)
{
    reads_string(s, SIZE_MAX, site);
    char *copy = strdup(s);
    if (copy)
        wrote(copy, strlen(copy) + 1, site);
    return copy;
}

/* ---- text that goes out, numbers in text, text of errors ---- */

SM_EXPORT int sm_lib_puts(const char *s, site_t site)
{
    reads_string(s, SIZE_MAX, site);
    return puts(s);
}

SM_EXPORT int sm_lib_fputs(const char *s, FILE *file, site_t site)
{
    reads_string(s, SIZE_MAX, site);
    return fputs(s, file);
}

SM_EXPORT void sm_lib_perror(const char *s, site_t site)
{
    if (s)
        reads_string(s, SIZE_MAX, site);
    perror(s);
}

/* How far a number goes is known when it has been read; the first byte behind it was looked at. */
static void reads_number(const char *s, const char *end, site_t site)
{
    if (sm_range_by_bytes())
        see_string(s, (size_t)(end - s) + 1, true, site);
    else
        reads(s, (size_t)(end - s) + 1, site);
}

#define NUMBER(name, type, parameters, ...)                                                        \
    SM_EXPORT type sm_lib_##name(const char *s, char **end, parameters site_t site)                \
    {                                                                                              \
        char *stop;                                                                                \
        name(s, &stop, ##__VA_ARGS__);                                                             \
        reads_number(s, stop, site);                                                               \
        type number = name(s, &stop, ##__VA_ARGS__);                                               \
        if (end)                                                                                   \
            writes((char *)end, &stop, sizeof stop, site);                                         \
        return number;                                                                             \
    }
#define BASE int base,
NUMBER(strtol, long, BASE, base)
NUMBER(strtoul, unsigned long, BASE, base)
NUMBER(strtod, double, )

SM_EXPORT int sm_lib_atoi(const char *s, site_t site)
{
    return (int)sm_lib_strtol(s, NULL, 10, site);
}

SM_EXPORT long sm_lib_atol(const char *s, site_t site)
{
    return sm_lib_strtol(s, NULL, 10, site);
}

enum { ERROR_TEXT = 1024 }; /* longer than any of libc's */
int __xpg_strerror_r(int error, char *to, size_t size);

/* GNU's may return a text of its own and leave the buffer alone. */
SM_EXPORT char *sm_lib_strerror_r(int error, char *to, size_t size, site_t site)
{
    char text[ERROR_TEXT];
    char *result = strerror_r(error, text, size < sizeof text ? size : sizeof text);
    if (result != text)
        return result;
    writes(to, text, strlen(text) + 1, site);
    return to;
}

SM_EXPORT int sm_lib___xpg_strerror_r(int error, char *to, size_t size, site_t site)
{
    char text[ERROR_TEXT];
    int result = __xpg_strerror_r(error, text, size < sizeof text ? size : sizeof text);
    if (size)
        writes(to, text, strlen(text) + 1, site);
    return result;
}
