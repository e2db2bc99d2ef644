/*
 * Runs the litmus test named on the command line (litmus.def), and fails with an assertion
 * when the execution had the test's outcome. Compiled without instrumentation: the accesses
 * are in accesses.c.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accesses.h"

struct litmus {
    const char *name, *program, *outcome;
};

static const struct litmus tests[] = {
#define SM_LITMUS(name, program, outcome, allowed) {name, program, outcome},
#include "litmus.def"
};

enum { MAX_THREADS = 8, MAX_READS = 16 };

/* Each on a line of its own: they are different variables, not one object. */
static struct {
    _Alignas(64) int value;
    bool is_atomic;
} locations[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int reads[MAX_THREADS][MAX_READS];
static int n_reads[MAX_THREADS];

static int *location(const char *word)
{
    return &locations[*word - 'x'].value;
}

static enum order order_of(const char *word)
{
    static const char *const words[] = {"", "vol", "rlx", "acq", "rel", "ar", "sc"};
    for (unsigned i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum order)i;
    return PLAIN;
}

static void step(int thread, char *words[4])
{
    int *read = &reads[thread][n_reads[thread]];
    switch (*words[0]) {
    case 'R':
        *read = litmus_load(location(words[1]), order_of(words[2]));
        n_reads[thread]++;
        break;
    case 'U':
        *read = litmus_exchange(location(words[1]), atoi(words[2]), order_of(words[3]));
        n_reads[thread]++;
        break;
    case 'W':
        litmus_store(location(words[1]), atoi(words[2]), order_of(words[3]));
        break;
    case 'F':
        litmus_fence(order_of(words[1]));
        break;
    case 'L':
        pthread_mutex_lock(&lock);
        break;
    default:
        pthread_mutex_unlock(&lock);
    }
}

/* Cuts text at the separators, in place; returns how many pieces there are. */
static int split(char *text, const char *separators, char **pieces, int most)
{
    int n = 0;
    char *rest = text;
    for (char *piece; n < most && (piece = strtok_r(rest, separators, &rest)); n++)
        pieces[n] = piece;
    return n;
}

struct start {
    int thread;
    char *text;
};

static void *run(void *arg)
{
    struct start *start = arg;
    char *instructions[16];
    int n = split(start->text, ";", instructions, 16);
    for (int i = 0; i < n; i++) {
        char *words[4] = {0};
        split(instructions[i], " ", words, 4);
        step(start->thread, words);
    }
    return NULL;
}

/* A location that anything accesses atomically is read so at the end as well. */
static void find_atomics(const char *program)
{
    char copy[512], *instructions[64];
    strcpy(copy, program);
    int n = split(copy, ";|", instructions, 64);
    for (int i = 0; i < n; i++) {
        char *words[4] = {0};
        int k = split(instructions[i], " ", words, 4);
        if (*words[0] == 'L' || *words[0] == 'M' || *words[0] == 'F')
            continue;
        locations[*words[1] - 'x'].is_atomic |= order_of(words[k - 1]) >= RLX;
    }
}

static int run_threads(const char *program)
{
    static char copy[512];
    char *texts[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    struct start starts[MAX_THREADS];
    strcpy(copy, program);
    int n = split(copy, "|", texts, MAX_THREADS);
    for (int i = 0; i < n; i++) {
        starts[i] = (struct start){i, texts[i]};
        pthread_create(&threads[i], NULL, run, &starts[i]);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return n;
}

static bool final_is(const char *word)
{
    enum order order = locations[*word - 'x'].is_atomic ? RLX : PLAIN;
    return litmus_load(location(word), order) == atoi(word + 2);
}

static bool had_outcome(const char *outcome, int n_threads)
{
    char copy[128], *words[32];
    strcpy(copy, outcome);
    int n = split(copy, " ", words, 32), at = 0;
    for (int t = 0; t < n_threads; t++)
        for (int i = 0; i < n_reads[t]; i++)
            if (reads[t][i] != atoi(words[at++]))
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
        int n = run_threads(tests[i].program);
        assert(!had_outcome(tests[i].outcome, n) && "the outcome was seen");
        return 0;
    }
    fprintf(stderr, "usage: %s NAME (a test of litmus.def)\n", argv[0]);
    return 2;
}
