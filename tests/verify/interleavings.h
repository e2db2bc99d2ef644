/*
 * interleavings.h - every interleaving of a program of texts.c, and the graphs they make: what
 * verify must find under sc, by brute force.
 */
#ifndef VERIFY_INTERLEAVINGS_H
#define VERIFY_INTERLEAVINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { INTERLEAVED_THREADS = 4, INTERLEAVED_TEXT = 384 };

struct interleavings {
    uint64_t graphs; /* of those that end */
    bool deadlock;   /* some do not */
};
/* Texts as those of texts.c, of at most INTERLEAVED_TEXT / 4 characters. */
struct interleavings interleave_all(unsigned threads, const char *const *texts);

#endif
