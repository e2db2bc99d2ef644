/*
 * interpreter.h - runs programs in the language of litmus.def. Compiled without
 * instrumentation: only the accesses themselves, in accesses.c, are to be seen.
 */
#ifndef LITMUS_INTERPRETER_H
#define LITMUS_INTERPRETER_H

#include "accesses.h"

enum { LITMUS_THREADS = 8, LITMUS_READS = 16, LITMUS_LOCATIONS = 3 };

/* x, y and z. Each on a line of its own: they are different variables, not one object. */
struct litmus_location {
    _Alignas(64) int value;
};
extern struct litmus_location litmus_locations[LITMUS_LOCATIONS];

/* What each thread read, by R and U, in order. */
extern int litmus_reads[LITMUS_THREADS][LITMUS_READS];
extern int litmus_n_reads[LITMUS_THREADS];

/* Runs the threads of a program to their end; returns how many there were. */
int litmus_run(const char *program);

/* Cuts text at the separators, in place; returns how many pieces there are. */
int litmus_split(char *text, const char *separators, char **pieces, int most);
enum order litmus_order(const char *word);

#endif
