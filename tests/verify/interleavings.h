/*
 * interleavings.h - every interleaving of a program of texts.c, and the graphs they make: what
 * verify must find under sc, by brute force.
 */
#ifndef VERIFY_INTERLEAVINGS_H
#define VERIFY_INTERLEAVINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { INTERLEAVED_THREADS = 4 };

struct interleavings {
    uint64_t graphs; /* of those that end */
    bool deadlock;   /* some do not */
};
struct interleavings interleave_all(unsigned threads, const char *const *texts);

#endif
