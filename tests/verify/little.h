/*
 * little.h - random little programs in the language of tests/litmus, for the oracles that know
 * interleavings: x and z are plain, y is a seq_cst atomic, L and M lock and unlock. Each write has
 * a value of its own.
 */
#ifndef VERIFY_LITTLE_H
#define VERIFY_LITTLE_H

#include <stdbool.h>
#include <stdint.h>

enum { THREADS = 3, LENGTH = 5, VARIABLES = 3, ATOMIC = 1 };

struct instruction {
    char op; /* R W U L M */
    int variable, value;
};

struct program {
    struct instruction code[THREADS][LENGTH];
    int length[THREADS];
    char text[256];
};

void little_seed(uint64_t seed);
void little_make(struct program *program);
/* The same from text, without values or orders: "W x; W y | R y; R x". */
void little_parse(struct program *program, const char *text);

bool little_is_plain(const struct instruction *instruction);

#endif
