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
 * Usage: verify-summary PROGRAM N SEED: the programs below, then N random ones. x and z are
 * plain, y is a seq_cst atomic, L and X lock and unlock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explored.h"

enum { THREADS = 3, LENGTH = 5, VARIABLES = 3, ATOMIC = 1, EVERYTHING = 1 << 0 | 1 << 2 };

struct instruction {
    char op; /* R W U L X */
    int variable;
};

struct program {
    struct instruction code[THREADS][LENGTH];
    int length[THREADS];
    char text[256];
};

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

/* ---- programs ---- */

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

static void add(struct program *program, int thread, char op, int variable)
{
    program->code[thread][program->length[thread]++] = (struct instruction){op, variable};
}

/* A thread locks and unlocks at most once, around some of its accesses. */
static void make_thread(struct program *program, int thread)
{
    int accesses = 1 + below(3), from = below(6), until = from + 1 + below(2);
    for (int i = 0; i < accesses; i++) {
        int variable = below(VARIABLES);
        char op = "RWWR"[below(4)];
        if (i == from)
            add(program, thread, 'L', 0);
        add(program, thread, variable == ATOMIC && below(3) == 0 ? 'U' : op, variable);
        if (i >= from && (i + 1 == until || (i + 1 == accesses && until > accesses)))
            add(program, thread, 'X', 0);
    }
}

static void print(struct program *program)
{
    int used = 0, size = sizeof program->text;
    for (int t = 0; t < THREADS && program->length[t]; t++)
        for (int i = 0; i < program->length[t]; i++) {
            const struct instruction *in = &program->code[t][i];
            char *to = program->text + used;
            used += snprintf(to, (size_t)(size - used), "%s%c", i ? "; " : t ? " | " : "", in->op);
            to = program->text + used;
            if (in->op == 'R')
                used += snprintf(to, (size_t)(size - used), " %c", "xyz"[in->variable]);
            else if (in->op != 'L' && in->op != 'X')
                used += snprintf(to, (size_t)(size - used), " %c 1", "xyz"[in->variable]);
            if (strchr("RWU", in->op) && in->variable == ATOMIC)
                used += snprintf(program->text + used, (size_t)(size - used), " sc");
        }
}

static void parse(struct program *program, const char *text)
{
    char copy[256], *rest = copy;
    *program = (struct program){0};
    snprintf(copy, sizeof copy, "%s", text);
    int t = 0;
    for (char *part; (part = strtok_r(rest, "|", &rest)); t++)
        for (char *code; (code = strtok_r(part, ";", &part));) {
            code += *code == ' ';
            add(program, t, *code, strchr("RWU", *code) ? code[2] - 'x' : 0);
        }
    print(program);
}

static void make_program(struct program *program)
{
    *program = (struct program){0};
    int threads = 2 + below(2);
    for (int t = 0; t < threads; t++)
        make_thread(program, t);
    print(program);
}

/* ---- the comparison ---- */

static bool agree(const struct program *program, const char *binary, bool *racy)
{
    struct sm_target target;
    bool opened, ok = explore_litmus(&target, &opened, binary, program->text, SM_MODEL_SC);
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
        "W x; W z | R z; R x",       "W x; W y | R y; R x", "L; W x; X | L; R x; X",
        "L; W x; X | R x",           "W x; U y | U y; W z", "W x; U y | U y; U y | U y; R x",
        "W x; W y | W y | R y; R x", "W x | R z | W z",
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    if (argc != 4) {
        fprintf(stderr, "usage: %s PROGRAM N SEED\n", argv[0]);
        return 2;
    }
    int failed = 0, races = 0, n = FIXED + atoi(argv[2]);
    random_state = strtoull(argv[3], NULL, 10);
    for (int i = 0; i < n; i++) {
        struct program program;
        bool racy;
        if (i < FIXED)
            parse(&program, fixed[i]);
        else
            make_program(&program);
        failed += !agree(&program, argv[1], &racy);
        races += racy;
    }
    printf("%d programs, %d with races: %d disagreements\n", n, races, failed);
    return failed != 0 || races == 0 || races == n;
}
