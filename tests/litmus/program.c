/*
 * Runs the litmus test named on the command line (litmus.def), and fails with an assertion
 * when the execution had the test's outcome. Compiled without instrumentation: the accesses
 * are in accesses.c.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpreter.h"

struct litmus {
    const char *name, *program, *outcome;
};

static const struct litmus tests[] = {
#define SM_LITMUS(name, program, outcome, allowed) {name, program, outcome},
#include "litmus.def"
};

static bool is_atomic[LITMUS_LOCATIONS];

/* A location that anything accesses atomically is read so at the end as well. */
static void find_atomics(const char *program)
{
    char copy[512], *instructions[64];
    strcpy(copy, program);
    int n = litmus_split(copy, ";|", instructions, 64);
    for (int i = 0; i < n; i++) {
        char *words[4] = {0};
        int k = litmus_split(instructions[i], " ", words, 4);
        if (*words[0] == 'L' || *words[0] == 'M' || *words[0] == 'F')
            continue;
        is_atomic[*words[1] - 'x'] |= litmus_order(words[k - 1]) >= RLX;
    }
}

static bool final_is(const char *word)
{
    enum order order = is_atomic[*word - 'x'] ? RLX : PLAIN;
    return litmus_load(&litmus_locations[*word - 'x'].value, order) == atoi(word + 2);
}

static bool had_outcome(const char *outcome, int n_threads)
{
    char copy[128], *words[32];
    strcpy(copy, outcome);
    int n = litmus_split(copy, " ", words, 32), at = 0;
    for (int t = 0; t < n_threads; t++)
        for (int i = 0; i < litmus_n_reads[t]; i++)
            if (litmus_reads[t][i] != atoi(words[at++]))
                return false;
    for (; at < n; at++)
        if (!final_is(words[at]))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, argv[1]) != 0)
            continue;
        find_atomics(tests[i].program);
        int n = litmus_run(tests[i].program);
        assert(!had_outcome(tests[i].outcome, n) && "the outcome was seen");
        return 0;
    }
    fprintf(stderr, "usage: %s NAME (a test of litmus.def)\n", argv[0]);
    return 2;
}
