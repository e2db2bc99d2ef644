/*
 * symmetry.c - verify --symmetry on random programs of threads that are alike (alike.c).
 *
 * Usage: verify-symmetry PROGRAM N SEED. Each thread adds to a counter in the end, so no graph
 * stays the same when threads change places: there must be n! times as many executions without the
 * option as with it, and the same outcomes. Under one model after the other, with 2 or 3 threads.
 * Under sc all interleavings are gone through besides, and the graphs counted that they make.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/random.h"
#include "explored.h"

static struct sm_random source;

/* ---- by brute force, under sc ---- */

enum { MOST_THREADS = 3, VARIABLES = 3, MUTEX = VARIABLES, PLACES };

/* Where an interleaving has come to. Events are numbered from 1; `newest` is the last write of each
   variable, and the last that gave the mutex back. */
struct here {
    const char *at[MOST_THREADS];
    int last[MOST_THREADS], value[PLACES];
    uint64_t newest[PLACES], graph;
};

static struct {
    uint64_t *graphs;
    size_t n, room;
    unsigned threads;
    const char *text;
} brute;

static void note_graph(uint64_t graph)
{
    if (brute.n == brute.room) {
        brute.room = brute.room ? 2 * brute.room : 1024;
        brute.graphs = sm_resize(brute.graphs, brute.room * sizeof *brute.graphs);
    }
    brute.graphs[brute.n++] = graph;
}

/* The event reads, or comes directly behind, the newest write: a graph is the set of all these. */
static void relate(struct here *here, uint64_t event, unsigned place)
{
    here->graph += sm_random_mix(event << 32 | here->newest[place]);
}

static void put(struct here *here, uint64_t event, unsigned place, int value)
{
    relate(here, event, place);
    here->newest[place] = event;
    here->value[place] = value;
}

/* False: the thread has to wait. */
static bool step(struct here *here, unsigned thread)
{
    const char *now = here->at[thread];
    unsigned place = (unsigned)(now[1] - 'x');
    uint64_t event = thread * 100 + (uint64_t)(now - brute.text) + 1;
    int *last = &here->last[thread], value = here->value[place];
    if (*now == 'L' && here->value[MUTEX])
        return false;
    here->at[thread] += 3;
    switch (*now) {
    case 'W':
        put(here, event, place, 1);
        break;
    case 'w':
        put(here, event, place, *last + 2);
        break;
    case 'U':
        put(here, event, place, value + 1);
        *last = value;
        break;
    case 'C':
        *last = value;
        if (value)
            relate(here, event, place);
        else
            put(here, event, place, 5);
        break;
    case 'R':
        relate(here, event, place);
        *last = value;
        break;
    case 'I':
        here->at[thread] += *last ? 0 : 3;
        break;
    default:
        put(here, event, MUTEX, *now == 'L');
    }
    return true;
}

static void interleave(const struct here *here)
{
    bool over = true;
    for (unsigned t = 0; t < brute.threads; t++) {
        struct here next = *here;
        over &= !*here->at[t];
        if (*here->at[t] && step(&next, t))
            interleave(&next);
    }
    if (over)
        note_graph(here->graph);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t count_graphs(unsigned threads, const char *text)
{
    struct here start = {.at = {text, text, text}};
    uint64_t distinct = 0;
    brute.n = 0;
    brute.threads = threads;
    brute.text = text;
    interleave(&start);
    qsort(brute.graphs, brute.n, sizeof *brute.graphs, by_number);
    for (size_t i = 0; i < brute.n; i++)
        distinct += i == 0 || brute.graphs[i] != brute.graphs[i - 1];
    return distinct;
}

/* ---- random programs ---- */

static char one_of(const char *letters)
{
    return letters[sm_random_next(&source) % strlen(letters)];
}

/* One to three instructions, perhaps the last ones under the mutex, and the counter. */
static void make_text(char *to, unsigned length)
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
    strcpy(to, locks ? "MxrUzr" : "Uzr");
}

static bool explore(struct explored *explored, char *binary, unsigned threads, char *text,
                    uint64_t model, bool symmetry)
{
    char number[16];
    snprintf(number, sizeof number, "%u", threads);
    struct sm_options options = explore_options(model);
    options.symmetry = symmetry;
    return explore_program(explored, (char *[]){binary, number, text, NULL}, &options, 1);
}

static bool compare(char *binary, uint64_t model)
{
    static const unsigned orders[] = {1, 1, 2, 6};
    unsigned threads = 2 + sm_random_next(&source) % 2;
    struct explored all, some;
    char text[64];
    make_text(text, 1 + (unsigned)(sm_random_next(&source) % (threads == 2 ? 3 : 2)));
    bool ok = explore(&all, binary, threads, text, model, false) &&
              explore(&some, binary, threads, text, model, true);
    uint64_t graphs = model == SM_MODEL_SC ? count_graphs(threads, text) : all.executions;
    if (ok && all.executions == graphs && all.executions == some.executions * orders[threads] &&
        all.outcomes == some.outcomes)
        return true;
    printf("%u times '%s', model %lu: %lu executions, by brute force %lu, %lu with --symmetry%s\n",
           threads, text, (unsigned long)model, (unsigned long)all.executions,
           (unsigned long)graphs, (unsigned long)some.executions,
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
    free(brute.graphs);
    return failed != 0;
}
