/*
 * locks.c - verify on random programs with mutexes, semaphores and conditions, against all
 * interleavings.
 *
 * Usage: verify-locks PROGRAM N SEED. Two or three threads (texts.c) take one or two mutexes, one
 * inside the other or not, try to, wait for semaphores and post them, for a condition and signal
 * it, and access two variables inside and outside of all that. Under sc there must be as many
 * executions as the interleavings make graphs, and a deadlock where one of them ends in one. With
 * mutexes alone and every access seq_cst that must be so under each model: one after the other.
 * With every access seq_cst, and whatever else, hb must have the outcomes of sc. Within a bound of
 * preemptions there must be as many executions under sc as the interleavings within it make graphs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/random.h"
#include "explored.h"
#include "interleavings.h"

/* Of all threads: a million interleavings are gone through in a second. */
enum { MOST_STEPS = 13, TEXT = 96 };

static struct sm_random source;
/* The program at hand is to be the same under each model; has conditions; has seq_cst accesses
   alone. */
static bool sequential, conditions, seq_cst;

static bool in(unsigned n)
{
    return sm_random_next(&source) % n == 0;
}

static char *add(char *to, char what, char which)
{
    *to++ = what;
    *to++ = which;
    *to++ = sequential || seq_cst ? 's' : "ras"[sm_random_next(&source) % 3];
    *to = 0;
    return to;
}

static char *add_access(char *to)
{
    if (in(5))
        to = add(to, 'I', 'x');
    bool exchanges = !sequential && !seq_cst; /* one that fails is relaxed */
    return add(to, "WwRRUC"[sm_random_next(&source) % (5 + exchanges)], in(2) ? 'x' : 'y');
}

static char *add_locked(char *to, bool inner)
{
    char mutex = in(3) ? 'y' : 'x';
    to = add(to, 'L', mutex);
    if (!in(4))
        to = add_access(to);
    if (inner && in(3)) {
        to = add(to, 'L', mutex == 'x' ? 'y' : 'x');
        to = add_access(to);
        to = add(to, 'M', in(2) ? mutex : mutex == 'x' ? 'y' : 'x');
        return add(to, 'M', to[-2] == 'x' ? 'y' : 'x');
    }
    return add(to, 'M', mutex);
}

/* Gives back only what it took: between them what was read stays. */
static char *add_tried(char *to)
{
    to = add(to, 'T', 'x');
    to = add(to, 'I', 'x');
    to = add(to, 'W', 'y');
    to = add(to, 'I', 'x');
    return add(to, 'M', 'x');
}

static char *add_semaphore(char *to)
{
    char semaphore = in(3) ? 'y' : 'x';
    if (semaphore == 'y' || in(4))
        return add(to, in(2) ? 'S' : 'P', semaphore);
    to = add(to, 'S', semaphore);
    to = add_access(to);
    return add(to, 'P', semaphore);
}

/* Waits, and perhaps wakes the next; or wakes others, inside or behind the mutex. */
static char *add_condition(char *to)
{
    char wakes = in(3) ? 'b' : 'n';
    bool waits = in(2), inside = in(2);
    if (in(6))
        return add(to, wakes, 'x');
    to = add(to, 'L', 'x');
    to = add(to, waits ? 'R' : 'W', 'x');
    if (waits) {
        to = add(to, 'k', 'x');
        if (in(2))
            to = add(to, wakes, 'x');
    }
    if (!waits && inside)
        to = add(to, wakes, 'x');
    to = add(to, 'M', 'x');
    return waits || inside ? to : add(to, wakes, 'x');
}

static void make_text(char *to)
{
    *to = 0;
    for (unsigned i = 0, n = 1 + sm_random_next(&source) % 3; i < n; i++) {
        if (conditions)
            to = in(4) ? add_access(to) : add_condition(to);
        else if (in(2))
            to = add_locked(to, true);
        else if (!sequential && in(4))
            to = in(2) ? add_tried(to) : add_semaphore(to);
        else
            to = add_access(to);
    }
}

/* The right size, with two threads that have something to wait for. */
static unsigned make_program(char texts[][TEXT])
{
    for (;;) {
        unsigned threads = 2 + sm_random_next(&source) % 2, waiting = 0;
        size_t steps = 0;
        for (unsigned t = 0; t < threads; t++) {
            make_text(texts[t]);
            steps += strlen(texts[t]) / 3;
            for (const char *at = texts[t]; (at = strchr(at, 'k')); at++)
                steps += 3;
            waiting += strpbrk(texts[t], "LS") != NULL;
        }
        if (waiting > 1 && steps <= MOST_STEPS)
            return threads;
    }
}

/* In these a graph in which a thread waits for a mutex that was given back must be explored. */
static char given[][3][TEXT] = {
    {"UxsLxsWxsMxs", "LxsUysLysRxsMxsMys", "LysMys"},
    {"LxrRxaMxa", "LxsWxsLyaRxrMxaMys", "LyrWysMya"},
    {"LxrWxrLyaUxaMxsMys", "RysLxsUysMxs", "LyrwyrMya"},
};

static bool compare(char *binary, uint64_t model, unsigned threads, char texts[][TEXT])
{
    struct explored found;
    char *arguments[] = {binary, "0", texts[0], texts[1], threads > 2 ? texts[2] : NULL, NULL};
    struct sm_options options = explore_options(model);
    struct interleavings all =
        interleave_all(threads, (const char *[]){texts[0], texts[1], texts[2]});
    bool ok = explore_program(&found, arguments, &options, 1);
    if (ok && found.executions == all.graphs && !found.violations == !all.deadlock)
        return true;
    printf("'%s' '%s' '%s', model %lu: %lu executions, %s deadlock; by brute force %lu, %s\n",
           texts[0], texts[1], threads > 2 ? texts[2] : "", (unsigned long)model,
           (unsigned long)found.executions, found.violations ? "a" : "no",
           (unsigned long)all.graphs, all.deadlock ? "a deadlock" : "none");
    return false;
}

/* Every program whose model is sc, for a bound that changes from one to the next. */
static bool compare_bounded(char *binary, unsigned threads, char texts[][TEXT], unsigned bound)
{
    struct explored found;
    char *arguments[] = {binary, "0", texts[0], texts[1], threads > 2 ? texts[2] : NULL, NULL};
    struct sm_options options = explore_options(SM_MODEL_SC);
    options.preemptions = bound;
    struct interleavings all =
        interleave_within(threads, (const char *[]){texts[0], texts[1], texts[2]}, bound);
    bool ok = explore_program(&found, arguments, &options, 1);
    if (ok && found.executions == all.graphs && found.outcomes == all.outcomes &&
        !found.violations == !all.deadlock)
        return true;
    printf("'%s' '%s' '%s', at most %u preemptions: %lu executions, %s deadlock; by brute force "
           "%lu, %s%s\n",
           texts[0], texts[1], threads > 2 ? texts[2] : "", bound, (unsigned long)found.executions,
           found.violations ? "a" : "no", (unsigned long)all.graphs,
           all.deadlock ? "a deadlock" : "none",
           found.outcomes == all.outcomes ? "" : ", other outcomes");
    return false;
}

static bool compare_hb(char *binary, unsigned threads, char texts[][TEXT])
{
    struct explored sc, hb;
    char *arguments[] = {binary, "0", texts[0], texts[1], threads > 2 ? texts[2] : NULL, NULL};
    struct sm_options options = explore_options(SM_MODEL_SC);
    bool ok = explore_program(&sc, arguments, &options, 1);
    options = explore_options(SM_MODEL_HB);
    ok &= explore_program(&hb, arguments, &options, 1);
    if (ok && sc.outcomes == hb.outcomes && !sc.violations == !hb.violations)
        return true;
    printf("'%s' '%s' '%s': outcomes of hb are not those of sc, or %s deadlock\n", texts[0],
           texts[1], threads > 2 ? texts[2] : "", hb.violations ? "there is a" : "there is no");
    return false;
}

static bool compare_random(char *binary, unsigned nth)
{
    char texts[3][TEXT];
    sequential = nth % 2;
    conditions = nth % 4 == 2;
    seq_cst = nth % 8 > 5 || nth % 8 == 0;
    unsigned threads = make_program(texts);
    if (seq_cst && !compare_hb(binary, threads, texts))
        return false;
    if (!compare_bounded(binary, threads, texts, nth % 5))
        return false;
    return compare(binary, sequential ? SM_MODEL_SC + nth / 2 % 4 : SM_MODEL_SC, threads, texts);
}

int main(int argc, char **argv)
{
    int failed = 0, n = argc == 4 ? atoi(argv[2]) : 0;
    if (!n) {
        fprintf(stderr, "usage: %s PROGRAM N SEED\n", argv[0]);
        return 2;
    }
    source = sm_random_seed(strtoull(argv[3], NULL, 10), 0);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        failed += !compare(argv[1], SM_MODEL_SC, 3, given[i]);
    for (int i = 0; i < n; i++)
        failed += !compare_random(argv[1], (unsigned)i);
    printf("%d programs, %d disagreements\n", n, failed);
    return failed != 0;
}
