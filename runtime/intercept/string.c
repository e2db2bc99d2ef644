/*
 * string.c - library functions that read or write the program's memory.
 *
 * The pass calls these in place of the functions of libcalls.def when the call is watched.
 * Each shows what it is about to read, which is a scheduling point, does the work with
 * libc's function, and shows what it wrote; from the first to the last of these no other
 * thread runs. How far a string function reads depends on what it finds, and that is found
 * out before the scheduling point: a string that others change there, which is a race that
 * the part shown already tells of, may be read further than is shown.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../sched/sched.h"
#include "../step.h"
#include "real.h"

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

SM_EXPORT int sm_lib_memcmp(const void *a, const void *b, size_t size, site_t site)
{
    const char *x = a, *y = b;
    size_t n = 0;
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
    reads(s, found ? (size_t)(found - (const char *)s) + 1 : size, site);
    return memchr(s, c, size);
}

SM_EXPORT size_t sm_lib_strlen(const char *s, site_t site)
{
    reads(s, extent(s, SIZE_MAX), site);
    return strlen(s);
}

SM_EXPORT size_t sm_lib_strnlen(const char *s, size_t limit, site_t site)
{
    reads(s, extent(s, limit), site);
    return strnlen(s, limit);
}

SM_EXPORT int sm_lib_strcmp(const char *a, const char *b, site_t site)
{
    size_t n = common_extent(a, b, SIZE_MAX);
    reads(a, n, site);
    also_reads(b, n, site);
    return strcmp(a, b);
}

SM_EXPORT int sm_lib_strncmp(const char *a, const char *b, size_t limit, site_t site)
{
    size_t n = common_extent(a, b, limit);
    reads(a, n, site);
    also_reads(b, n, site);
    return strncmp(a, b, limit);
}

SM_EXPORT char *sm_lib_strcpy(char *to, const char *from, site_t site)
{
    reads(from, extent(from, SIZE_MAX), site);
    strcpy(to, from);
    wrote(to, strlen(to) + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strncpy(char *to, const char *from, size_t size, site_t site)
{
    reads(from, extent(from, size), site);
    strncpy(to, from, size);
    wrote(to, size, site);
    return to;
}

SM_EXPORT char *sm_lib_strcat(char *to, const char *from, site_t site)
{
    reads(to, extent(to, SIZE_MAX), site);
    also_reads(from, extent(from, SIZE_MAX), site);
    char *end = to + strlen(to);
    strcpy(end, from);
    wrote(end, strlen(end) + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strncat(char *to, const char *from, size_t limit, site_t site)
{
    reads(to, extent(to, SIZE_MAX), site);
    also_reads(from, extent(from, limit), site);
    char *end = to + strlen(to);
    strncat(end, from, limit);
    wrote(end, strlen(end) + 1, site);
    return to;
}

SM_EXPORT char *sm_lib_strchr(const char *s, int c, site_t site)
{
    const char *found = strchrnul(s, c);
    reads(s, (size_t)(found - s) + 1, site);
    return strchr(s, c);
}

SM_EXPORT char *sm_lib_strrchr(const char *s, int c, site_t site)
{
    reads(s, extent(s, SIZE_MAX), site);
    return strrchr(s, c);
}

SM_EXPORT char *sm_lib_strstr(const char *s, const char *part, site_t site)
{
    const char *found = strstr(s, part);
    size_t length = strlen(part);
    reads(part, length + 1, site);
    also_reads(s, found ? (size_t)(found - s) + length : extent(s, SIZE_MAX), site);
    return strstr(s, part);
}

SM_EXPORT char *sm_lib_strdup(const char *s, site_t site)
{
    reads(s, extent(s, SIZE_MAX), site);
    char *copy = strdup(s);
    if (copy)
        wrote(copy, strlen(copy) + 1, site);
    return copy;
}
