/*
 * interleavings.h - every interleaving of a program of texts.c, and the graphs they make: what
 * verify must find under sc, by brute force.
 *
 * A graph is which write each read reads, and each write comes behind; for an object, an atomic
 * block and the writers of a read-write lock who came before; for a reader of one the writer before
 * it; for who looks at what a barrier says, whether it is the serial thread.
 */
#ifndef VERIFY_INTERLEAVINGS_H
#define VERIFY_INTERLEAVINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { INTERLEAVED_THREADS = 4, INTERLEAVED_TEXT = 384 };

struct interleavings {
    uint64_t graphs;   /* of those that end */
    bool deadlock;     /* some do not */
    uint64_t outcomes; /* of those that end: a hash of the set, as explored.h has it */
};
/* Texts as those of texts.c, of at most INTERLEAVED_TEXT / 4 characters. */
struct interleavings interleave_all(unsigned threads, const char *const *texts);
/* Of those in which at most so many switches leave a thread that could go on. */
struct interleavings interleave_within(unsigned threads, const char *const *texts,
                                       unsigned preemptions);

#endif
