/*
 * past_future.c - verify --model hb against brute force: every outcome of little programs that the
 * rule for plain reads allows, with the future and without.
 *
 * An execution is an order of the synchronisation (atomics and locks), which gives
 * happens-before, and for each plain read any write to its variable that does not happen after it
 * and is not overwritten on a happens-before path. Without prescience program order, the order of
 * locks and reads-from have no cycle; the order of atomics is no part of that, it need not be the
 * order of execution. These programs have no branches, so every write comes, whatever is read: with
 * prescience that is all there is to it. Shares no code with verify/.
 *
 * Usage: verify-past_future PROGRAM N SEED: N random programs (little.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explored.h"
#include "little.h"

enum { EVENTS = THREADS * LENGTH, MAX_OUTCOMES = 4096 };

struct event {
    struct instruction in;
    int thread;
    int rf; /* reads: the write; -1: the initial value */
};

struct outcomes {
    char text[MAX_OUTCOMES][64];
    int n;
};

static struct event events[EVENTS];
static int n_events;
static bool prescient;
static struct outcomes brute, found;

typedef unsigned relation[EVENTS];
static relation before;  /* happens-before, or less while it is built */
static relation through; /* program order and the order of locks */

/* ---- relations ---- */

static void close(relation r)
{
    for (int k = 0; k < n_events; k++)
        for (int i = 0; i < n_events; i++)
            if (r[i] >> k & 1)
                r[i] |= r[k];
}

static bool is_acyclic(const relation r)
{
    relation closed;
    memcpy(closed, r, sizeof closed);
    close(closed);
    for (int i = 0; i < n_events; i++)
        if (closed[i] >> i & 1)
            return false;
    return true;
}

/* ---- outcomes ---- */

static void note(struct outcomes *outcomes, const char *text)
{
    for (int i = 0; i < outcomes->n; i++)
        if (strcmp(outcomes->text[i], text) == 0)
            return;
    if (outcomes->n == MAX_OUTCOMES)
        abort();
    snprintf(outcomes->text[outcomes->n++], sizeof outcomes->text[0], "%s", text);
}

static void note_execution(void)
{
    char text[64] = "";
    int used = 0;
    for (int e = 0; e < n_events; e++)
        if (strchr("RU", events[e].in.op))
            used += snprintf(text + used, sizeof text - (size_t)used, "%d ",
                             events[e].rf < 0 ? 0 : events[events[e].rf].in.value);
    note(&brute, text);
}

/* ---- plain reads ---- */

static bool is_write_of(int e, int variable)
{
    return strchr("WU", events[e].in.op) && events[e].in.variable == variable;
}

static bool may_read(int read, int write)
{
    if (write >= 0 && before[read] >> write & 1)
        return false;
    for (int w = 0; w < n_events; w++)
        if (w != write && is_write_of(w, events[read].in.variable) && before[w] >> read & 1 &&
            (write < 0 || before[write] >> w & 1))
            return false;
    return true;
}

static bool is_allowed(void)
{
    relation all;
    memcpy(all, through, sizeof all);
    for (int e = 0; e < n_events && !prescient; e++)
        if (strchr("RU", events[e].in.op) && events[e].rf >= 0)
            all[events[e].rf] |= 1u << e;
    return is_acyclic(all);
}

static void try_reads(int e)
{
    while (e < n_events && !(events[e].in.op == 'R' && little_is_plain(&events[e].in)))
        e++;
    if (e == n_events) {
        if (is_allowed())
            note_execution();
        return;
    }
    for (int w = -1; w < n_events; w++)
        if ((w < 0 || is_write_of(w, events[e].in.variable)) && may_read(e, w)) {
            events[e].rf = w;
            try_reads(e + 1);
        }
}

/* ---- orders of synchronisation ---- */

/* What an event acquires: the store it reads, or every earlier unlocking. */
static void synchronise(const int *order, int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) {
        int e = order[i];
        bool atomic = strchr("RWU", events[e].in.op) != NULL;
        if (atomic && events[e].in.op != 'W') {
            events[e].rf = last;
            if (last >= 0)
                before[last] |= 1u << e;
        }
        if (atomic && events[e].in.op != 'R')
            last = e;
        for (int k = 0; k < i && events[e].in.op == 'L'; k++)
            if (events[order[k]].in.op == 'M')
                before[order[k]] |= 1u << e;
    }
}

static bool is_lock(int e)
{
    return strchr("LM", events[e].in.op) != NULL;
}

static void look_at_order(const int *order, int n)
{
    memset(before, 0, sizeof before);
    for (int a = 0; a < n_events; a++)
        for (int b = a + 1; b < n_events && events[a].thread == events[b].thread; b++)
            before[a] |= 1u << b;
    memcpy(through, before, sizeof through);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (is_lock(order[i]) && is_lock(order[k]))
                through[order[i]] |= 1u << order[k];
    synchronise(order, n);
    close(before);
    try_reads(0);
}

static bool is_sync(int e)
{
    return !little_is_plain(&events[e].in);
}

/* next[t]: event of the thread that comes next; the lock is held or not. */
static void try_orders(const int *next, const int *end, bool held, int *order, int n)
{
    bool over = true;
    for (int t = 0; t < THREADS; t++) {
        int e = next[t], after[THREADS];
        while (e < end[t] && !is_sync(e))
            e++;
        if (e == end[t])
            continue;
        over = false;
        if (held && events[e].in.op == 'L')
            continue;
        memcpy(after, next, sizeof after);
        after[t] = e + 1;
        order[n] = e;
        bool lock = events[e].in.op == 'L', unlock = events[e].in.op == 'M';
        try_orders(after, end, (held || lock) && !unlock, order, n + 1);
    }
    if (over)
        look_at_order(order, n);
}

static void enumerate(const struct program *program)
{
    int next[THREADS], end[THREADS], order[EVENTS];
    n_events = brute.n = 0;
    for (int t = 0; t < THREADS; t++) {
        next[t] = n_events;
        for (int i = 0; i < program->length[t]; i++)
            events[n_events++] = (struct event){program->code[t][i], t, -1};
        end[t] = n_events;
    }
    try_orders(next, end, false, order, 0);
}

/* ---- verify ---- */

static bool run_verify(const char *binary, const struct program *program)
{
    char *arguments[] = {(char *)binary, (char *)program->text, "reads", NULL};
    struct sm_target target;
    bool opened, ok = explore_litmus(&target, &opened, arguments, SM_MODEL_HB, prescient);
    const char *at = ok ? (const char *)target.shared.trace : NULL;
    found.n = 0;
    for (uint32_t i = 0; ok && i < target.shared.control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        char output[64] = "";
        memcpy(&header, at, sizeof header);
        memcpy(output, at + sizeof header, header.size < 64 ? header.size - 1 : 63);
        note(&found, output);
        at += (sizeof header + header.size + 7) & ~7ul;
    }
    if (opened)
        sm_target_close(&target);
    return ok;
}

static bool contains(const struct outcomes *outcomes, const char *text)
{
    for (int i = 0; i < outcomes->n; i++)
        if (strcmp(outcomes->text[i], text) == 0)
            return true;
    return false;
}

static bool agree(const struct program *program, const char *binary)
{
    enumerate(program);
    if (!run_verify(binary, program))
        return false;
    bool same = true;
    for (int i = 0; i < brute.n && same; i++)
        if (!contains(&found, brute.text[i])) {
            printf("'%s'%s: verify misses %s\n", program->text, prescient ? "" : ", past only",
                   brute.text[i]);
            same = false;
        }
    for (int i = 0; i < found.n && same; i++)
        if (!contains(&brute, found.text[i])) {
            printf("'%s'%s: verify finds %s\n", program->text, prescient ? "" : ", past only",
                   found.text[i]);
            same = false;
        }
    return same;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s PROGRAM N SEED\n", argv[0]);
        return 2;
    }
    int failed = 0, outcomes = 0, n = atoi(argv[2]);
    little_seed(strtoull(argv[3], NULL, 10));
    for (int i = 0; i < n; i++) {
        struct program program;
        little_make(&program);
        for (int both = 0; both < 2; both++) {
            prescient = both;
            failed += !agree(&program, argv[1]);
            outcomes += brute.n;
        }
    }
    printf("%d programs, with the future and without, %d outcomes: %d disagreements\n", n, outcomes,
           failed);
    return failed != 0;
}
