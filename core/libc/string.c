/*
 * string.c - library functions that read or write the program's memory.
 *
 * The pass calls these instead of the functions that libc.def marks LIBRARY when the call is
 * watched. Each reports what it is about to read, which is a scheduling point, does the work with
 * libc's function, and reports what it wrote. Other threads run before the first byte that it reads
 * and before the first one that it writes. How far a string function reads depends on the contents,
 * which are examined before the scheduling point: if others change the string there (a race, which
 * the reported part already shows), the function may read further than was reported.
 *
 * An engine that holds the contents of memory itself (sm_range_by_bytes) puts the right bytes there
 * only when the reads are reported: there strings are read byte by byte, and writes are stored for
 * the function, byte by byte, too, so that every reader sees the same.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
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

/* Bytes of each of two strings, or blocks, up to and including the first difference. */
static size_t common_extent(const char *a, const char *b, size_t limit, bool strings)
{
    size_t n = 0;
    while (n < limit && a[n] == b[n] && (a[n] || !strings))
        n++;
    return n < limit ? n + 1 : limit;
}

/* ---- byte by byte ---- */

enum { KEPT = 1024 };

/* What a call has read of a string. Other threads run between two bytes, and memory may have
   changed by the time the work is done: for a longer string memory itself is used. */
struct looked_at {
    const char *from;
    size_t n;
    char bytes[KEPT + 1]; /* with a NUL */
};

/* Does not clear the bytes, for speed. */
static void begin(struct looked_at *seen, const char *from)
{
    seen->from = from;
    seen->n = 0;
}

static char see(struct looked_at *seen, site_t site)
{
    sm_range(SM_EV_LOAD, seen->from + seen->n, 1, site);
    char byte = seen->from[seen->n];
    if (seen->n < KEPT)
        seen->bytes[seen->n] = byte;
    seen->n++;
    return byte;
}

static const char *text_of(struct looked_at *seen)
{
    if (seen->n > KEPT)
        return seen->from;
    seen->bytes[seen->n] = 0;
    return seen->bytes;
}

/* ---- everywhere ---- */

/* Up to and including the byte `last`, or limit bytes. */
static const char *read_to(struct looked_at *seen, const char *s, char last, size_t limit,
                           site_t site)
{
    begin(seen, s);
    if (!sm_range_by_bytes()) {
        const char *end = memchr(s, last, limit);
        reads(s, end ? (size_t)(end - s) + 1 : limit, site);
        return s;
    }
    while (seen->n < limit && see(seen, site) != last)
        continue;
    return text_of(seen);
}

/* Returns the string that was read, or memory itself. */
static const char *read_string(struct looked_at *seen, const char *s, size_t limit, site_t site)
{
    return read_to(seen, s, 0, limit, site);
}

/* The position in memory of what was found in the text. */
static char *place_in(const char *s, const char *text, const char *found)
{
    return found ? (char *)s + (found - text) : NULL;
}

/* Two strings, or blocks, up to and including the first difference. Returns the difference. */
static int read_both(const char *a, const char *b, size_t limit, bool strings, site_t site)
{
    struct looked_at left, right;
    begin(&left, a);
    begin(&right, b);
    if (!sm_range_by_bytes()) {
        size_t n = common_extent(a, b, limit, strings);
        reads(a, n, site);
        also_reads(b, n, site);
        return n ? (unsigned char)a[n - 1] - (unsigned char)b[n - 1] : 0;
    }
    while (left.n < limit) {
        char x = see(&left, site), y = see(&right, site);
        if (x != y || (strings && !x))
            return (unsigned char)x - (unsigned char)y;
    }
    return 0;
}

/* Writes the bytes, which are not in memory yet, and zeros up to `size`. */
static void writes_padded(char *to, const void *bytes, size_t n, size_t size, site_t site)
{
    if (!sm_range_by_bytes()) {
        sm_range_point(to, site);
        memmove(to, bytes, n);
        memset(to + n, 0, size - n);
        wrote(to, size, site);
        return;
    }
    for (size_t i = 0; i < size; i++)
        sm_range_store(to + i, i < n ? (const char *)bytes + i : "", 1, site);
}

static void writes(char *to, const void *bytes, size_t size, site_t site)
{
    writes_padded(to, bytes, size, size, site);
}

SM_EXPORT int sm_lib_memcmp(const void *a, const void *b, size_t size, site_t site)
{
    return read_both(a, b, size, false, site);
}

/* What clang makes of memcmp, strncmp and strcmp that are only compared with 0. */
SM_EXPORT int sm_lib_bcmp(const void *a, const void *b, size_t size, site_t site)
{
    return sm_lib_memcmp(a, b, size, site);
}

SM_EXPORT void *sm_lib_memchr(const void *s, int c, size_t size, site_t site)
{
    struct looked_at seen;
    const char *text = read_to(&seen, s, (char)c, size, site);
    return place_in(s, text, memchr(text, c, sm_range_by_bytes() ? seen.n : size));
}

SM_EXPORT size_t sm_lib_strlen(const char *s, site_t site)
{
    struct looked_at seen;
    return strlen(read_string(&seen, s, SIZE_MAX, site));
}

SM_EXPORT size_t sm_lib_strnlen(const char *s, size_t limit, site_t site)
{
    struct looked_at seen;
    return strnlen(read_string(&seen, s, limit, site), limit);
}

SM_EXPORT int sm_lib_strcmp(const char *a, const char *b, site_t site)
{
    return read_both(a, b, SIZE_MAX, true, site);
}

SM_EXPORT int sm_lib_strncmp(const char *a, const char *b, size_t limit, site_t site)
{
    return read_both(a, b, limit, true, site);
}

SM_EXPORT char *sm_lib_strcpy(char *to, const char *from, site_t site)
{
    struct looked_at seen;
    const char *text = read_string(&seen, from, SIZE_MAX, site);
    writes(to, text, strlen(text) + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strncpy(char *to, const char *from, size_t size, site_t site)
{
    struct looked_at seen;
    const char *text = read_string(&seen, from, size, site);
    writes_padded(to, text, strnlen(text, size), size, site);
    return to;
}

SM_EXPORT char *sm_lib_strncat(char *to, const char *from, size_t limit, site_t site)
{
    struct looked_at end, seen;
    size_t length = strlen(read_string(&end, to, SIZE_MAX, site));
    const char *text = read_string(&seen, from, limit, site);
    size_t n = strnlen(text, limit);
    writes_padded(to + length, text, n, n + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strcat(char *to, const char *from, site_t site)
{
    return sm_lib_strncat(to, from, SIZE_MAX, site);
}

/* Up to the first of c and the end. */
static const char *read_to_either(struct looked_at *seen, const char *s, char c, site_t site)
{
    begin(seen, s);
    if (!sm_range_by_bytes()) {
        reads(s, (size_t)(strchrnul(s, c) - s) + 1, site);
        return s;
    }
    for (char byte = see(seen, site); byte && byte != c;)
        byte = see(seen, site);
    return text_of(seen);
}

SM_EXPORT char *sm_lib_strchr(const char *s, int c, site_t site)
{
    struct looked_at seen;
    const char *text = read_to_either(&seen, s, (char)c, site);
    return place_in(s, text, strchr(text, c));
}

SM_EXPORT char *sm_lib_strrchr(const char *s, int c, site_t site)
{
    struct looked_at seen;
    const char *text = read_string(&seen, s, SIZE_MAX, site);
    return place_in(s, text, strrchr(text, c));
}

SM_EXPORT char *sm_lib_strstr(const char *s, const char *part, site_t site)
{
    struct looked_at seen, wanted;
    const char *what = read_string(&wanted, part, SIZE_MAX, site);
    if (sm_range_by_bytes()) {
        const char *text = read_string(&seen, s, SIZE_MAX, site);
        return place_in(s, text, strstr(text, what));
    }
    const char *found = strstr(s, part);
    also_reads(s, found ? (size_t)(found - s) + strlen(part) : strlen(s) + 1, site);
    return strstr(s, part);
}

SM_EXPORT char *sm_lib_strdup(const char *s, site_t site)
{
    struct looked_at seen;
    char *copy = strdup(read_string(&seen, s, SIZE_MAX, site));
    if (copy)
        wrote(copy, strlen(copy) + 1, site);
    return copy;
}

/* ---- output, numbers in text, error messages ---- */

SM_EXPORT int sm_lib_puts(const char *s, site_t site)
{
    struct looked_at seen;
    return puts(read_string(&seen, s, SIZE_MAX, site));
}

SM_EXPORT int sm_lib_fputs(const char *s, FILE *file, site_t site)
{
    struct looked_at seen;
    return fputs(read_string(&seen, s, SIZE_MAX, site), file);
}

SM_EXPORT void sm_lib_perror(const char *s, site_t site)
{
    struct looked_at seen;
    perror(s ? read_string(&seen, s, SIZE_MAX, site) : NULL);
}

/* The end of a number is known once it has been read, including the first byte behind it. */
#define NUMBER(name, type, parameters, ...)                                                        \
    SM_EXPORT type sm_lib_##name(const char *s, char **end, parameters site_t site)                \
    {                                                                                              \
        struct looked_at seen;                                                                     \
        char *stop;                                                                                \
        name(s, &stop, ##__VA_ARGS__);                                                             \
        const char *text = read_string(&seen, s, (size_t)(stop - s) + 1, site);                    \
        type number = name(text, &stop, ##__VA_ARGS__);                                            \
        char *place = place_in(s, text, stop);                                                     \
        if (end)                                                                                   \
            writes((char *)end, &place, sizeof place, site);                                       \
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

enum { ERROR_TEXT = 1024 }; /* longer than any message of libc */
int __xpg_strerror_r(int error, char *to, size_t size);

/* The GNU version may return a static text and not use the buffer. */
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

/* ---- formats ---- */

enum { FORMATTED = 1024 };
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list);

/* Like __vsnprintf_chk: `room` is the size of the buffer as known to the compiler; libc aborts if
   `size` exceeds it. Of the arguments only the format is reported. Longer texts are written by libc
   itself, and reported afterwards. */
static int format_to(char *to, size_t size, int flag, size_t room, const char *format,
                     va_list arguments, site_t site)
{
    char text[FORMATTED];
    va_list again;
    struct looked_at seen;
    format = read_string(&seen, format, SIZE_MAX, site);
    va_copy(again, arguments);
    int n = __vsnprintf_chk(text, sizeof text, flag, sizeof text, format, again);
    va_end(again);
    if (n < 0 || !size)
        return n;
    size_t length = (size_t)n < size ? (size_t)n + 1 : size;
    if (length <= room && (size_t)n < sizeof text) {
        text[length - 1] = 0;
        writes(to, text, length, site);
        return n;
    }
    n = __vsnprintf_chk(to, size, flag, room, format, arguments);
    wrote(to, length, site);
    return n;
}

SM_EXPORT int sm_lib_vsprintf(char *to, const char *format, va_list arguments, site_t site)
{
    return format_to(to, INT_MAX, 0, SIZE_MAX, format, arguments, site);
}

SM_EXPORT int sm_lib_vsnprintf(char *to, size_t size, const char *format, va_list arguments,
                               site_t site)
{
    return format_to(to, size, 0, SIZE_MAX, format, arguments, site);
}

SM_EXPORT int sm_lib___vsprintf_chk(char *to, int flag, size_t room, const char *format,
                                    va_list arguments, site_t site)
{
    return format_to(to, INT_MAX, flag, room, format, arguments, site);
}

SM_EXPORT int sm_lib___vsnprintf_chk(char *to, size_t size, int flag, size_t room,
                                     const char *format, va_list arguments, site_t site)
{
    return format_to(to, size, flag, room, format, arguments, site);
}

/* Where the number of arguments varies the site comes first. */
#define WITH_ARGUMENTS(name, parameters, ...)                                                      \
    SM_EXPORT int sm_lib_##name parameters                                                         \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int n = format_to(__VA_ARGS__, format, arguments, site);                                   \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    }
WITH_ARGUMENTS(sprintf, (site_t site, char *to, const char *format, ...), to, INT_MAX, 0, SIZE_MAX)
WITH_ARGUMENTS(snprintf, (site_t site, char *to, size_t size, const char *format, ...), to, size, 0,
               SIZE_MAX)
WITH_ARGUMENTS(__sprintf_chk,
               (site_t site, char *to, int flag, size_t room, const char *format, ...), to, INT_MAX,
               flag, room)
WITH_ARGUMENTS(__snprintf_chk,
               (site_t site, char *to, size_t size, int flag, size_t room, const char *format, ...),
               to, size, flag, room)
