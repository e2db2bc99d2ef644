/*
 * jobs.c - verify by several processes: as many executions, and the same outcomes, as by one.
 *
 * Usage: verify-jobs PROGRAM. Every test of ../litmus/litmus.def, under one model after the other,
 * by 1, 2 and 4 processes, and by parcels in a directory. The first process hands over half of what
 * it has after its first execution, so that even a test of three executions is shared out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "explored.h"

static bool agree(const struct explored *a, const struct explored *b)
{
    return a->executions == b->executions && a->blocked == b->blocked && a->outcomes == b->outcomes;
}

static char directory[] = "/tmp/stalemate-jobs-XXXXXX";

static void complain(const char *text, uint64_t model, const struct explored *one,
                     const struct explored *other, const char *by, int *failed)
{
    printf("'%s', model %lu: %lu executions, %lu blocked; by %s %lu, %lu\n", text,
           (unsigned long)model, (unsigned long)one->executions, (unsigned long)one->blocked, by,
           (unsigned long)other->executions, (unsigned long)other->blocked);
    ++*failed;
}

/* True: it was shared out, and nothing else changed. */
static bool compare(char *binary, const char *text, uint64_t model, int *failed)
{
    struct explored one, several, parcels;
    char parts[sizeof directory + 8];
    char *arguments[] = {binary, (char *)text, NULL};
    struct sm_options options = explore_options(model);
    bool shared = false;
    if (!explore_program(&one, arguments, &options, 1))
        ++*failed;
    for (size_t jobs = 2; jobs <= 4; jobs *= 2) {
        bool ok = explore_program(&several, arguments, &options, jobs);
        shared |= several.parts > 1;
        if (ok && agree(&one, &several))
            continue;
        complain(text, model, &one, &several, "several", failed);
    }
    snprintf(parts, sizeof parts, "%s/parts", directory);
    if (!explore_parcels(&parcels, arguments, &options, parts) || !agree(&one, &parcels) ||
        one.counts != parcels.counts)
        complain(text, model, &one, &parcels, "parcels", failed);
    shared &= parcels.parts > 1;
    return shared;
}

int main(int argc, char **argv)
{
    static const char *const tests[] = {
#define SM_LITMUS(name, program, outcome, allowed) program,
#include "../litmus/litmus.def"
    };
    int failed = 0, shared = 0, n = (int)(sizeof tests / sizeof *tests);
    if (argc != 2) {
        fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
        return 2;
    }
    if (!mkdtemp(directory))
        return 2;
    for (int i = 0; i < n; i++)
        shared += compare(argv[1], tests[i], SM_MODEL_SC + (uint64_t)i % 4, &failed);
    rmdir(directory);
    printf("%d tests, %d shared out, %d disagreements\n", n, shared, failed);
    return failed != 0 || shared < n / 3;
}
