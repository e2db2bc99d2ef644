/*
 * symmetry.c - verify --symmetry on random programs of threads that are alike (texts.c).
 *
 * Usage: verify-symmetry PROGRAM N SEED. The executions must stand for as many as there are without
 * symmetry, with the same outcomes. In half of the programs each thread adds to a counter in the
 * end: then no graph stays the same when threads change places, and each execution stands for n!.
 * Under one model after the other, with 2 to 4 threads, by one process and by two.
 * Under sc all interleavings are gone through besides, and the graphs counted that they make.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/random.h"
#include "explored.h"
#include "interleavings.h"

static struct sm_random source;

static char one_of(const char *letters)
{
    return letters[sm_random_next(&source) % strlen(letters)];
}

/* One to three instructions, perhaps the last ones under the mutex, and the counter. */
static void make_text(char *to, unsigned length, bool counts)
{
    unsigned locked = (unsigned)(sm_random_next(&source) % length);
    bool locks = sm_random_next(&source) % 2 == 0;
    for (unsigned i = 0; i < length; i++) {
        if (locks && i == locked)
            to = stpcpy(to, "Lxr");
        if (i > 0 && sm_random_next(&source) % 4 == 0)
            to = stpcpy(to, "Ixr");
        *to++ = one_of("WwRRUC");
        *to++ = one_of("xy");
        *to++ = one_of("ras");
    }
    to = stpcpy(to, locks ? "Mxr" : "");
    strcpy(to, counts ? "Uzr" : "");
}

static bool explore(struct explored *explored, char *binary, unsigned threads, char *text,
                    uint64_t model, bool symmetry, size_t jobs)
{
    char number[16];
    snprintf(number, sizeof number, "%u", threads);
    struct sm_options options = explore_options(model);
    options.symmetry = symmetry;
    return explore_program(explored, (char *[]){binary, number, text, NULL}, &options, jobs);
}

static bool compare(char *binary, uint64_t model)
{
    static const unsigned orders[] = {1, 1, 2, 6, 24}, lengths[] = {0, 0, 3, 2, 1};
    unsigned threads = 2 + sm_random_next(&source) % 3;
    bool counts = sm_random_next(&source) % 2;
    struct explored all, some, shared;
    char text[64];
    make_text(text, 1 + (unsigned)(sm_random_next(&source) % lengths[threads]), counts);
    bool ok = explore(&all, binary, threads, text, model, false, 1) &&
              explore(&some, binary, threads, text, model, true, 1) &&
              explore(&shared, binary, threads, text, model, true, 2) &&
              shared.executions == some.executions && shared.stands_for == some.stands_for;
    uint64_t graphs = model == SM_MODEL_SC
                          ? interleave_all(threads, (const char *[]){text, text, text, text}).graphs
                          : all.executions;
    bool each = !counts || all.executions == some.executions * orders[threads];
    if (ok && all.executions == graphs && all.executions == some.stands_for && each &&
        all.outcomes == some.outcomes)
        return true;
    printf("%u times '%s', model %lu: %lu executions, by brute force %lu; with --symmetry %lu, "
           "which stand for %lu%s\n",
           threads, text, (unsigned long)model, (unsigned long)all.executions,
           (unsigned long)graphs, (unsigned long)some.executions, (unsigned long)some.stands_for,
           all.outcomes == some.outcomes ? "" : ", other outcomes");
    return false;
}

int main(int argc, char **argv)
{
    int failed = 0, n = argc == 4 ? atoi(argv[2]) : 0;
    if (!n) {
        fprintf(stderr, "usage: %s PROGRAM N SEED\n", argv[0]);
        return 2;
    }
    source = sm_random_seed(strtoull(argv[3], NULL, 10), 0);
    for (int i = 0; i < n; i++)
        failed += !compare(argv[1], SM_MODEL_SC + (uint64_t)i % 4);
    printf("%d programs, %d disagreements\n", n, failed);
    return failed != 0;
}
