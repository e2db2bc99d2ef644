/*
 * summary.c - the race detector of Java RaceFinder, as an oracle for verify's: its summary
 * function h on every interleaving of a tiny program must find a race exactly where vector clocks
 * find one in some execution under sc.
 *
 * h maps each thread and each synchronisation object to a set of plain variables: those whose last
 * write happens before whatever the thread does next, or whoever acquires the object. An access
 * to a variable that is not in the set of its thread is a race. (A write after a read it is not
 * ordered with is none to h, but then another interleaving has them the other way round.) One
 * rule is C's and not Java's: what a store of an atomic releases replaces what was there, since
 * only the store that is read synchronises.
 *
 * Usage: verify-summary PROGRAM N SEED: the programs below, then N random ones (little.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explored.h"
#include "little.h"

enum { EVERYTHING = 1 << 0 | 1 << 2 };

/* h, and where each thread is. */
struct state {
    unsigned thread[THREADS], atomic, mutex;
    int at[THREADS];
    int owner; /* of the mutex; -1: free */
};

/* ---- h ---- */

static void invalidate(struct state *h, int thread, unsigned variable)
{
    for (int t = 0; t < THREADS; t++)
        if (t != thread)
            h->thread[t] &= ~variable;
    h->atomic &= ~variable;
    h->mutex &= ~variable;
}

/* False: a race. */
static bool perform(struct state *h, int thread, const struct instruction *instruction)
{
    unsigned *mine = &h->thread[thread], variable = 1u << instruction->variable;
    bool plain = instruction->variable != ATOMIC;
    switch (instruction->op) {
    case 'R':
        *mine |= plain ? 0 : h->atomic;
        return !plain || (*mine & variable);
    case 'W':
        if (!plain)
            h->atomic = *mine;
        else if (*mine & variable)
            invalidate(h, thread, variable);
        else
            return false;
        return true;
    case 'U':
        *mine |= h->atomic;
        h->atomic = *mine;
        return true;
    case 'L':
        *mine |= h->mutex;
        h->owner = thread;
        return true;
    default:
        h->mutex |= *mine;
        h->owner = -1;
        return true;
    }
}

/* Some interleaving that goes on from here has a race. */
static bool races_from(const struct program *program, const struct state *state)
{
    for (int t = 0; t < THREADS; t++) {
        const struct instruction *next = &program->code[t][state->at[t]];
        if (state->at[t] == program->length[t] || (next->op == 'L' && state->owner >= 0))
            continue;
        struct state after = *state;
        after.at[t]++;
        if (!perform(&after, t, next) || races_from(program, &after))
            return true;
    }
    return false;
}

static bool has_race(const struct program *program)
{
    struct state begin = {.owner = -1};
    for (int t = 0; t < THREADS; t++)
        begin.thread[t] = EVERYTHING;
    return races_from(program, &begin);
}

/* ---- the comparison ---- */

static bool agree(const struct program *program, const char *binary, bool *racy)
{
    char *arguments[] = {(char *)binary, (char *)program->text, NULL};
    struct sm_target target;
    bool opened, ok = explore_litmus(&target, &opened, arguments, SM_MODEL_SC, false);
    *racy = has_race(program);
    if (ok && (target.shared.control->n_races > 0) != *racy) {
        printf("'%s': h says %s, verify the contrary\n", program->text,
               *racy ? "a race" : "no race");
        ok = false;
    }
    if (opened)
        sm_target_close(&target);
    return ok;
}

int main(int argc, char **argv)
{
    /* The slides' Simple and SimpleVolatile without their loop; locks; a chain of atomics; two
       stores of an atomic, of which only the one that is read releases. */
    static const char *const fixed[] = {
        "W x; W z | R z; R x",       "W x; W y | R y; R x", "L; W x; M | L; R x; M",
        "L; W x; M | R x",           "W x; U y | U y; W z", "W x; U y | U y; U y | U y; R x",
        "W x; W y | W y | R y; R x", "W x | R z | W z",
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    if (argc != 4) {
        fprintf(stderr, "usage: %s PROGRAM N SEED\n", argv[0]);
        return 2;
    }
    int failed = 0, races = 0, n = FIXED + atoi(argv[2]);
    little_seed(strtoull(argv[3], NULL, 10));
    for (int i = 0; i < n; i++) {
        struct program program;
        bool racy;
        if (i < FIXED)
            little_parse(&program, fixed[i]);
        else
            little_make(&program);
        failed += !agree(&program, argv[1], &racy);
        races += racy;
    }
    printf("%d programs, %d with races: %d disagreements\n", n, races, failed);
    return failed != 0 || races == 0 || races == n;
}
