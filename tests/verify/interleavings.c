#include "interleavings.h"

#include <stdlib.h>
#include <string.h>

#include "../../driver/memory.h"
#include "../../runtime/random.h"

enum {
    VARIABLES = 3,
    MUTEX = VARIABLES,
    SEMAPHORE = MUTEX + 2,
    CONDITION = SEMAPHORE + 2,
    PLACES = CONDITION + 1
};

/* The value of the condition: a bit for each thread that waits; above, one for each that was woken
   since it last waited. */
enum { WAITING = (1 << INTERLEAVED_THREADS) - 1 };

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
    char texts[INTERLEAVED_THREADS][INTERLEAVED_TEXT];
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
    case 'e':
    case 'v':
    case 'n':
    case 'b':
        return CONDITION;
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

/* The nth thread that waits, or none, if there are fewer. */
static int nth_waiting(int value, unsigned n)
{
    for (int t = 0; t < INTERLEAVED_THREADS; t++)
        if ((value >> t & 1) && n-- == 0)
            return t;
    return INTERLEAVED_THREADS;
}

static void use_condition(struct here *here, uint64_t event, char what, unsigned thread,
                          unsigned choice)
{
    int value = here->value[CONDITION], woken = value & WAITING;
    if (what == 'v')
        return;
    if (what == 'e') {
        value &= ~(1 << (thread + INTERLEAVED_THREADS));
        put(here, event, CONDITION, value | 1 << thread);
        return;
    }
    if (what == 'n' && woken) {
        int chosen = nth_waiting(value, choice);
        woken = 1 << chosen;
        here->graph += sm_random_mix(event << 32 | 1u << 31 | (uint32_t)chosen);
    }
    if (woken)
        put(here, event, CONDITION, (value & ~woken) | woken << INTERLEAVED_THREADS);
    else
        relate(here, event, CONDITION);
}

/* A signal has a choice for each thread that waits, and one if there is none. */
static bool can_go_on(const struct here *here, const char *now, unsigned thread, unsigned choice)
{
    int value = here->value[place_of(now)];
    switch (*now) {
    case 'L':
        return choice == 0 && !value;
    case 'S':
        return choice == 0 && value;
    case 'v':
        return choice == 0 && (value >> (thread + INTERLEAVED_THREADS) & 1);
    case 'n':
        return choice == 0 || nth_waiting(value, choice) < INTERLEAVED_THREADS;
    default:
        return choice == 0;
    }
}

/* False: the thread has to wait, or there are fewer choices. */
static bool step(struct here *here, unsigned thread, unsigned choice)
{
    const char *now = here->at[thread];
    unsigned place = place_of(now);
    uint64_t event = thread * INTERLEAVED_TEXT + (uint64_t)(now - brute.texts[thread]) + 1;
    int *last = &here->last[thread];
    if (!*now || !can_go_on(here, now, thread, choice))
        return false;
    here->at[thread] += 3;
    if (*now == 'I')
        here->at[thread] += *last ? 0 : 3;
    else if (place == CONDITION)
        use_condition(here, event, *now, thread, choice);
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
        for (unsigned choice = 0; step(&next, t, choice); choice++) {
            stuck = false;
            go_on(&next);
            next = *here;
        }
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

/* To wait for a condition is to enter it, to give the mutex back, to be woken, and to take it. */
static void expand(char *to, const char *from)
{
    *to = 0;
    for (; *from; from += 3)
        to = *from == 'k' ? stpcpy(to, "exrMxrvxrLxr") : stpncpy(to, from, 3);
    *to = 0;
}

struct interleavings interleave_all(unsigned threads, const char *const *texts)
{
    struct here start = {.value[SEMAPHORE] = 1};
    struct interleavings all = {0};
    brute.n = 0;
    brute.threads = threads;
    brute.deadlock = false;
    for (unsigned t = 0; t < threads; t++) {
        expand(brute.texts[t], texts[t]);
        start.at[t] = brute.texts[t];
    }
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
