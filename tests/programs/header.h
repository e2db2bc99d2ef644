/*
 * header.h - what a program under test says about itself.
 *
 * The leading `//` lines of a program are read by the harness; all are optional:
 *
 *   // expect: exit 0                how each run must end; this is the default
 *   // expect: assert | deadlock | hang | signal SIGSEGV | exit 3
 *   // expect: sometimes deadlock    each run ends so or with status 0, and one at least ends so
 *   // args: one two                 arguments of the program
 *   // stdin: text                   one line of standard input (else it is empty)
 *   // options: --steps 20000        options for `stalemate run`
 *   // models: sc                    models to run it under (else sc and tso)
 *   // native: no                    do not also run it without `stalemate` (it sleeps for an hour)
 *   // cflags: -latomic              read by build_program.sh
 *   // races: yes                    it has data races: see hunt/race_free.sh
 */
#ifndef SM_TESTS_HEADER_H
#define SM_TESTS_HEADER_H

#include <stdbool.h>

#define HEADER_WORDS 16

struct words {
    int n;
    char *word[HEADER_WORDS];
};

struct header {
    char expect[64]; /* as written, for messages */
    bool sometimes;
    char kind[16];   /* exit, assert, deadlock, hang, signal */
    char signal[16]; /* name, when kind is signal */
    int status;      /* when kind is exit */
    bool native;
    const char *input;
    struct words args, options, models;
};

/* Reads the header of a source file; ends the process with a message when it cannot. */
struct header header_read(const char *path);

#endif
