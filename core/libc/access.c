#define _GNU_SOURCE
#include "core/libc/access.h"

#include <stdint.h>
#include <string.h>

typedef const struct sm_site *site_t;

void sm_reads(const void *from, size_t size, site_t site)
{
    sm_range(SM_EV_LOAD, from, size, site);
}

void sm_also_reads(const void *from, size_t size, site_t site)
{
    sm_range_more(SM_EV_LOAD, from, size, site);
}

void sm_wrote(const void *to, size_t size, site_t site)
{
    sm_range_more(SM_EV_STORE, to, size, site);
}

/* ---- byte by byte ---- */

/* Does not clear the bytes, for speed. */
void sm_look_begin(struct sm_looked_at *seen, const char *from)
{
    seen->from = from;
    seen->n = 0;
}

char sm_look_on(struct sm_looked_at *seen, site_t site)
{
    sm_range(SM_EV_LOAD, seen->from + seen->n, 1, site);
    char byte = seen->from[seen->n];
    if (seen->n < SM_LOOKED_AT)
        seen->bytes[seen->n] = byte;
    seen->n++;
    return byte;
}

const char *sm_look_text(struct sm_looked_at *seen)
{
    if (seen->n > SM_LOOKED_AT)
        return seen->from;
    seen->bytes[seen->n] = 0;
    return seen->bytes;
}

/* ---- everywhere ---- */

const char *sm_read_to(struct sm_looked_at *seen, const char *s, char last, size_t limit,
                       site_t site)
{
    sm_look_begin(seen, s);
    if (!sm_range_by_bytes()) {
        const char *end = memchr(s, last, limit);
        sm_reads(s, end ? (size_t)(end - s) + 1 : limit, site);
        return s;
    }
    while (seen->n < limit && sm_look_on(seen, site) != last)
        continue;
    return sm_look_text(seen);
}

const char *sm_read_string(struct sm_looked_at *seen, const char *s, size_t limit, site_t site)
{
    return sm_read_to(seen, s, 0, limit, site);
}

const char *sm_read_path(struct sm_looked_at *seen, const char *path, site_t site)
{
    return path ? sm_read_string(seen, path, SIZE_MAX, site) : NULL;
}

/* Bytes up to the next word of 8, or the end. */
static size_t word_at(const char *at, size_t left)
{
    size_t word = 8 - (uintptr_t)at % 8;
    return word < left ? word : left;
}

void sm_read_struct(void *copy, const void *from, size_t size, site_t site)
{
    const char *at = from;
    if (!sm_range_by_bytes())
        sm_reads(from, size, site);
    for (size_t i = 0, n; sm_range_by_bytes() && i < size; i += n) {
        n = word_at(at + i, size - i);
        sm_reads(at + i, n, site);
        memcpy((char *)copy + i, at + i, n);
    }
    if (!sm_range_by_bytes())
        memcpy(copy, from, size);
}

void sm_writes_padded(void *to, const void *bytes, size_t n, size_t size, site_t site)
{
    char *at = to;
    if (!sm_range_by_bytes()) {
        sm_range_point(to, site);
        memmove(at, bytes, n);
        memset(at + n, 0, size - n);
        sm_wrote(at, size, site);
        return;
    }
    for (size_t i = 0; i < size; i++)
        sm_range_store(at + i, i < n ? (const char *)bytes + i : "", 1, site);
}

void sm_writes(void *to, const void *bytes, size_t size, site_t site)
{
    sm_writes_padded(to, bytes, size, size, site);
}

void sm_writes_struct(void *to, const void *bytes, size_t size, site_t site)
{
    char *at = to;
    if (!sm_range_by_bytes()) {
        sm_writes(to, bytes, size, site);
        return;
    }
    for (size_t i = 0, n; i < size; i += n) {
        n = word_at(at + i, size - i);
        sm_range_store(at + i, (const char *)bytes + i, n, site);
    }
}
