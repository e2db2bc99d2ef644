/*
 * format.h - what the formats of printf and of scanf have in common.
 */
#ifndef SM_CORE_LIBC_FORMAT_H
#define SM_CORE_LIBC_FORMAT_H

#include <stddef.h>

/* The letters between a percent sign and its conversion that say how large the value is. */
#define SM_SIZE_LETTERS "hlLqjzt"

/* The size of an integer with `n` such letters. */
static inline size_t sm_format_integer(const char *letters, size_t n)
{
    if (*letters == 'h')
        return n > 1 ? sizeof(char) : sizeof(short);
    return n ? sizeof(long) : sizeof(int);
}

#endif
