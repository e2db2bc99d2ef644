#include "interleavings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/memory.h"
#include "../../base/random.h"
#include "explored.h"

enum { VARIABLES = 3, MUTEX = VARIABLES, SEMAPHORE = MUTEX + 2, CONDITION = SEMAPHORE + 2 };
enum { SHARED = CONDITION + 1, BLOCK, BARRIER, PLACES };
enum { NOBODY = -1 };

/* The value of the condition: a bit for each thread that waits; above, one for each that was woken
   since it last waited. */
enum { WAITING = (1 << INTERLEAVED_THREADS) - 1 };

/* Where an interleaving has come to. Events are numbered from 1; `newest` is the last write of each
   variable, and the last change of each object. */
struct here {
    const char *at[INTERLEAVED_THREADS];
    int last[INTERLEAVED_THREADS], value[PLACES]; /* of a barrier: how many have come */
    unsigned seen[INTERLEAVED_THREADS];
    uint64_t newest[PLACES], graph;
    int readers, inside, serial;     /* inside: the thread that is in a block */
    bool wakes[INTERLEAVED_THREADS]; /* its wait is to end for no reason */
    bool impossible;                 /* such a wait was ended by a signal */
    unsigned current, preemptions;
};

static struct {
    uint64_t *graphs, *outcomes;
    size_t n, room;
    unsigned threads, waiters, most_preemptions;
    char texts[INTERLEAVED_THREADS][INTERLEAVED_TEXT];
    bool deadlock;
} brute;

static uint64_t outcome_of(const struct here *here)
{
    char text[128];
    int used =
        snprintf(text, sizeof text, "%d %d %d", here->value[0], here->value[1], here->value[2]);
    for (unsigned t = 0; t < brute.threads; t++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %u", here->seen[t]);
    text[used++] = '\n';
    return sm_outcome_hash(text, (uint64_t)used);
}

static void note_graph(const struct here *here)
{
    if (brute.n == brute.room) {
        brute.room = brute.room ? 2 * brute.room : 1024;
        brute.graphs = sm_resize(brute.graphs, brute.room * sizeof *brute.graphs);
        brute.outcomes = sm_resize(brute.outcomes, brute.room * sizeof *brute.outcomes);
    }
    brute.outcomes[brute.n] = outcome_of(here);
    brute.graphs[brute.n++] = here->graph;
}

/* The event reads, or comes directly behind, the newest write: a graph is the set of all these. */
static void relate(struct here *here, uint64_t event, unsigned place)
{
    here->graph += sm_random_mix((event << 8 | place) << 32 | here->newest[place]);
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
    case 'G':
    case 'H':
    case 'X':
    case 'Y':
        return SHARED;
    case 'B':
    case 'E':
        return BLOCK;
    case 'A':
    case 'D':
    case 'd':
        return BARRIER;
    default:
        return which;
    }
}

static void see(struct here *here, unsigned thread, int value)
{
    here->last[thread] = value;
    here->seen[thread] = here->seen[thread] * 31 + (unsigned)value;
}

static void access(struct here *here, unsigned thread, uint64_t event, char what, unsigned place)
{
    int value = here->value[place], last = here->last[thread];
    switch (what) {
    case 'W':
        put(here, event, place, 1);
        break;
    case 'w':
        put(here, event, place, last + 2);
        break;
    case 'U':
        put(here, event, place, value + 1);
        see(here, thread, value);
        break;
    case 'C':
        see(here, thread, value);
        if (value)
            relate(here, event, place);
        else
            put(here, event, place, 5);
        break;
    case 'Q':
        put(here, event, 0, last + 2);
        put(here, event, 1, last + 3);
        break;
    case 'V':
        relate(here, event, 0);
        relate(here, event, 1);
        see(here, thread, here->value[0] + 16 * here->value[1]);
        break;
    default:
        relate(here, event, place);
        see(here, thread, value);
    }
}

static void pass_barrier(struct here *here, unsigned thread, uint64_t event, char what)
{
    bool serial = here->serial == (int)thread;
    if (what == 'A')
        here->value[BARRIER]++;
    if (what != 'd')
        return;
    see(here, thread, serial);
    here->graph += sm_random_mix(event << 32 | serial);
}

static void operate(struct here *here, unsigned thread, uint64_t event, char what, unsigned place)
{
    int value = here->value[place];
    bool fails = what == 'T' && value;
    if (place == BARRIER) {
        pass_barrier(here, thread, event, what);
    } else if (what == 'G' || what == 'H') {
        if (what == 'G')
            relate(here, event, place);
        here->readers += what == 'G' ? 1 : -1;
    } else if (fails) {
        relate(here, event, place);
    } else {
        bool takes = !strchr("MYE", what);
        put(here, event, place, what == 'S' ? value - 1 : what == 'P' ? value + 1 : takes);
    }
    if (what == 'T')
        see(here, thread, !fails);
    if (place == BLOCK)
        here->inside = what == 'B' ? (int)thread : NOBODY;
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

static void leave_condition(struct here *here, uint64_t event, unsigned thread, bool wakes)
{
    int value = here->value[CONDITION];
    if (!wakes)
        return;
    here->impossible = value >> (thread + INTERLEAVED_THREADS) & 1;
    put(here, event, CONDITION, value & ~(1 << thread));
}

/* It gives back a mutex to wait. */
static bool will_wait(const char *now)
{
    return now[0] == 'M' && now[3] == 'v';
}

/* A signal has a choice for each thread that waits, and one if there is none; a wait whether it
   ends for no reason. */
static bool can_go_on(const struct here *here, const char *now, unsigned thread, unsigned choice)
{
    int value = here->value[place_of(now)];
    if (here->inside != NOBODY && here->inside != (int)thread)
        return false;
    if (*now == 'n' && choice)
        return nth_waiting(value, choice) < INTERLEAVED_THREADS;
    if (choice > 1 || (choice && !will_wait(now)))
        return false;
    switch (*now) {
    case 'L':
    case 'G':
        return !value;
    case 'X':
        return !value && !here->readers;
    case 'S':
        return value;
    case 'D':
    case 'd':
        return value == (int)brute.waiters;
    case 'v':
        return here->wakes[thread] || (value >> (thread + INTERLEAVED_THREADS) & 1);
    default:
        return true;
    }
}

/* False: the thread has to wait, or there are fewer choices. */
static bool step(struct here *here, unsigned thread, unsigned choice)
{
    const char *now = here->at[thread];
    unsigned place = place_of(now);
    uint64_t event = thread * INTERLEAVED_TEXT + (uint64_t)(now - brute.texts[thread]) + 1;
    if (!*now || !can_go_on(here, now, thread, choice))
        return false;
    bool wakes = here->wakes[thread];
    here->at[thread] += 3;
    here->wakes[thread] = will_wait(now) && choice;
    if (*now == 'I')
        here->at[thread] += here->last[thread] ? 0 : 3;
    else if (place == CONDITION && *now == 'v')
        leave_condition(here, event, thread, wakes);
    else if (place == CONDITION)
        use_condition(here, event, *now, thread, choice);
    else if (place >= MUTEX)
        operate(here, thread, event, *now, place);
    else
        access(here, thread, event, *now, place);
    return true;
}

/* False: it leaves a thread that could go on, once too often. */
static bool is_within(struct here *next, const struct here *before, unsigned thread)
{
    const char *left = before->at[before->current];
    next->current = thread;
    next->preemptions += thread != before->current && *left && *left != 'v' &&
                         can_go_on(before, left, before->current, 0);
    return !next->impossible && next->preemptions <= brute.most_preemptions;
}

static void go_on(const struct here *here)
{
    bool over = true, stuck = true;
    for (unsigned t = 0; t < brute.threads; t++) {
        struct here next = *here;
        over &= !*here->at[t];
        for (unsigned choice = 0; step(&next, t, choice); choice++) {
            stuck = false;
            if (is_within(&next, here, t))
                go_on(&next);
            next = *here;
        }
    }
    if (over)
        note_graph(here);
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

static size_t keep_distinct(uint64_t *numbers, size_t n)
{
    size_t kept = 0;
    qsort(numbers, n, sizeof *numbers, by_number);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

/* A barrier has one round, which a thread enters by A and leaves by D or d. */
static bool comes_to_barrier(unsigned thread)
{
    return strchr(brute.texts[thread], 'A');
}

static struct here begin(unsigned threads, const char *const *texts)
{
    struct here start = {.value[SEMAPHORE] = 1, .inside = NOBODY};
    brute.n = brute.waiters = 0;
    brute.threads = threads;
    brute.deadlock = false;
    for (unsigned t = 0; t < threads; t++) {
        expand(brute.texts[t], texts[t]);
        start.at[t] = brute.texts[t];
        brute.waiters += comes_to_barrier(t);
    }
    return start;
}

/* The first switch is free, whoever is first. */
static void begin_with_any(struct here *start)
{
    unsigned n = brute.most_preemptions == UINT_MAX ? 1 : brute.threads;
    for (start->current = 0; start->current < n; start->current++)
        go_on(start);
}

struct interleavings interleave_within(unsigned threads, const char *const *texts,
                                       unsigned preemptions)
{
    struct here start = begin(threads, texts);
    struct interleavings all = {0};
    brute.most_preemptions = preemptions;
    for (unsigned t = 0; t < threads; t++)
        if (brute.waiters ? comes_to_barrier(t) : t == 0) {
            start.serial = (int)t;
            begin_with_any(&start);
        }
    size_t n_outcomes = keep_distinct(brute.outcomes, brute.n);
    for (size_t i = 0; i < n_outcomes; i++)
        all.outcomes += mix_outcome(brute.outcomes[i]);
    all.graphs = keep_distinct(brute.graphs, brute.n);
    all.deadlock = brute.deadlock;
    free(brute.graphs);
    free(brute.outcomes);
    brute.graphs = brute.outcomes = NULL;
    brute.room = 0;
    return all;
}

struct interleavings interleave_all(unsigned threads, const char *const *texts)
{
    return interleave_within(threads, texts, UINT_MAX);
}
