#include "interleavings.h"

#include <stdlib.h>

#include "../../driver/memory.h"
#include "../../runtime/random.h"

enum { VARIABLES = 3, MUTEX = VARIABLES, SEMAPHORE = MUTEX + 2, PLACES = SEMAPHORE + 2 };

/* Where an interleaving has come to. Events are numbered from 1; `newest` is the last write of each
   variable, and the last change of each object. */
struct here {
    const char *at[INTERLEAVED_THREADS];
    int last[INTERLEAVED_THREADS], value[PLACES];
    uint64_t newest[PLACES], graph;
};

static struct {
    uint64_t *graphs;
    size_t n, room;
    unsigned threads;
    const char *const *texts;
    bool deadlock;
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

static unsigned place_of(const char *instruction)
{
    unsigned which = (unsigned)(instruction[1] - 'x');
    switch (*instruction) {
    case 'L':
    case 'T':
    case 'M':
        return MUTEX + which;
    case 'S':
    case 'P':
        return SEMAPHORE + which;
    default:
        return which;
    }
}

static void access(struct here *here, uint64_t event, char what, unsigned place, int *last)
{
    int value = here->value[place];
    switch (what) {
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
    default:
        relate(here, event, place);
        *last = value;
    }
}

static void operate(struct here *here, uint64_t event, char what, unsigned place, int *last)
{
    int value = here->value[place];
    bool fails = what == 'T' && value;
    if (fails)
        relate(here, event, place);
    else
        put(here, event, place, what == 'S' ? value - 1 : what == 'P' ? value + 1 : what != 'M');
    if (what == 'T')
        *last = !fails;
}

/* False: the thread has to wait. */
static bool step(struct here *here, unsigned thread)
{
    const char *now = here->at[thread];
    unsigned place = place_of(now);
    uint64_t event = thread * 100 + (uint64_t)(now - brute.texts[thread]) + 1;
    int *last = &here->last[thread];
    if ((*now == 'L' && here->value[place]) || (*now == 'S' && !here->value[place]))
        return false;
    here->at[thread] += 3;
    if (*now == 'I')
        here->at[thread] += *last ? 0 : 3;
    else if (place >= MUTEX)
        operate(here, event, *now, place, last);
    else
        access(here, event, *now, place, last);
    return true;
}

static void go_on(const struct here *here)
{
    bool over = true, stuck = true;
    for (unsigned t = 0; t < brute.threads; t++) {
        struct here next = *here;
        over &= !*here->at[t];
        if (!*here->at[t] || !step(&next, t))
            continue;
        stuck = false;
        go_on(&next);
    }
    if (over)
        note_graph(here->graph);
    brute.deadlock |= stuck && !over;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct interleavings interleave_all(unsigned threads, const char *const *texts)
{
    struct here start = {.value[SEMAPHORE] = 1};
    struct interleavings all = {0};
    brute.n = 0;
    brute.threads = threads;
    brute.texts = texts;
    brute.deadlock = false;
    for (unsigned t = 0; t < threads; t++)
        start.at[t] = texts[t];
    go_on(&start);
    qsort(brute.graphs, brute.n, sizeof *brute.graphs, by_number);
    for (size_t i = 0; i < brute.n; i++)
        all.graphs += i == 0 || brute.graphs[i] != brute.graphs[i - 1];
    all.deadlock = brute.deadlock;
    free(brute.graphs);
    brute.graphs = NULL;
    brute.room = 0;
    return all;
}
