/*
 * access.h - how the library functions of this folder report what they read and write.
 *
 * The pass calls sm_lib_NAME in place of a function that libc.def marks LIBRARY, if the call is
 * watched. Each reports what it is about to read, which is a scheduling point, does the work with
 * libc's function, and reports what it wrote. Other threads run before the first byte that it reads
 * and before the first one that it writes. How far a string function reads depends on the contents,
 * which are examined before the scheduling point: if others change the string there (a race, which
 * the reported part already shows), the function may read further than was reported.
 *
 * An engine that holds the contents of memory itself (sm_range_by_bytes) puts the right bytes there
 * only when the reads are reported: there strings are read byte by byte, and writes are stored for
 * the function, byte by byte, too, so that every reader sees the same. Structures are read and
 * stored by words.
 */
#ifndef SM_CORE_LIBC_ACCESS_H
#define SM_CORE_LIBC_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/libc/range.h"

enum { SM_LOOKED_AT = 1024 };

/* What a call has read of a string. Other threads run between two bytes, and memory may have
   changed by the time the work is done: for a longer string memory itself is used. */
struct sm_looked_at {
    const char *from;
    size_t n;
    char bytes[SM_LOOKED_AT + 1]; /* with a NUL */
};

/* Reads `size` bytes: the first ones of a call, and further ones. */
void sm_reads(const void *from, size_t size, const struct sm_site *site);
void sm_also_reads(const void *from, size_t size, const struct sm_site *site);
/* The call has written there. */
void sm_wrote(const void *to, size_t size, const struct sm_site *site);

/* One byte after the other. */
void sm_look_begin(struct sm_looked_at *seen, const char *from);
char sm_look_on(struct sm_looked_at *seen, const struct sm_site *site);
const char *sm_look_text(struct sm_looked_at *seen);

/* Up to and including the byte `last`, or limit bytes. Returns what was read, or memory itself. */
const char *sm_read_to(struct sm_looked_at *seen, const char *s, char last, size_t limit,
                       const struct sm_site *site);
const char *sm_read_string(struct sm_looked_at *seen, const char *s, size_t limit,
                           const struct sm_site *site);
/* The same for one that may be NULL, which the call refuses. */
const char *sm_read_path(struct sm_looked_at *seen, const char *path, const struct sm_site *site);
/* Reads a structure into a copy. */
void sm_read_struct(void *copy, const void *from, size_t size, const struct sm_site *site);

/* Writes the bytes, which are not in memory yet, and zeros up to `size`. */
void sm_writes_padded(void *to, const void *bytes, size_t n, size_t size,
                      const struct sm_site *site);
void sm_writes(void *to, const void *bytes, size_t size, const struct sm_site *site);
/* The same for a structure. */
void sm_writes_struct(void *to, const void *bytes, size_t size, const struct sm_site *site);

#endif
