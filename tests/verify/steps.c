/*
 * steps.c - verify on random programs with locks of every kind, atomic blocks, barriers and
 * accesses of two sizes (texts.c), against all interleavings.
 *
 * Usage: verify-steps PROGRAM N SEED LETTERS. Under sc there must be as many executions as the
 * interleavings make graphs, with the same outcomes. LETTERS says what is in the programs: locks
 * L, G, X and blocks B, barriers A, wide accesses Q. With every access seq_cst there must be the
 * same outcomes under hb, too, unless there are blocks, which hb lets others see half done, or wide
 * ones. Within a bound of preemptions there must be the graphs of the interleavings within it; with
 * read-write locks, which count too few (verify/graph/preempt.h), these and perhaps others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/random.h"
#include "explored.h"
#include "interleavings.h"

static struct sm_random source;

static unsigned below(unsigned n)
{
    return (unsigned)(sm_random_next(&source) % n);
}

static char *put(char *to, char what, char variable)
{
    return to + sprintf(to, "%c%cp", what, variable);
}

/* Only z is atomic: others are accessed by two sizes, which atomics must not be. */
static char *put_access(char *to, bool wide)
{
    if (below(5) == 0)
        return stpcpy(to, "Uzr");
    if (wide && below(2))
        return put(to, below(2) ? 'Q' : 'V', 'x');
    return put(to, "RRWw"[below(4)], "xy"[below(2)]);
}

/* One to three accesses, some of them between the ends of a lock. */
static char *put_thread(char *to, const char *letters, unsigned most)
{
    static const char ends[][2] = {{'L', 'M'}, {'G', 'H'}, {'X', 'Y'}, {'B', 'E'}};
    bool wide = strchr(letters, 'Q');
    for (unsigned i = 0, n = 1 + below(most); i < n; i++) {
        const char *end = ends[below(4)];
        bool locks = strchr(letters, end[0]) && below(3);
        if (locks)
            to = put(to, end[0], 'x');
        to = put_access(to, wide);
        if (locks && below(2)) {
            to = put_access(to, wide);
            i++;
        }
        if (locks)
            to = put(to, end[1], 'x');
        else if (below(4) == 0) {
            to = put(to, 'I', 'x');
            to = put_access(to, wide);
        }
    }
    return to;
}

static char *put_barrier(char *to)
{
    return stpcpy(to, below(2) ? "AxpDxp" : "Axpdxp");
}

/* How many interleavings there are, if nobody waits. */
static double count_interleavings(char texts[][64], unsigned threads)
{
    double ways = 1, steps = 0;
    for (unsigned t = 0; t < threads; t++)
        for (size_t own = 1; own <= strlen(texts[t]) / 3; own++)
            ways *= ++steps / (double)own;
    return ways;
}

static unsigned make_program(char texts[][64], const char *letters)
{
    unsigned threads;
    do {
        threads = 2 + below(2);
        for (unsigned t = 0; t < threads; t++) {
            char *to = put_thread(texts[t], letters, threads == 2 ? 3 : 2);
            if (strchr(letters, 'A'))
                put_access(put_barrier(to), false);
        }
    } while (count_interleavings(texts, threads) > 40000);
    return threads;
}

static void make_seq_cst(char *text)
{
    for (; *text; text += 3)
        if (strchr("RWwU", *text))
            text[2] = 's';
}

static bool compare_hb(char *binary, unsigned threads, char texts[][64], uint64_t outcomes)
{
    struct explored found;
    struct sm_options options = explore_options(SM_MODEL_HB);
    char *arguments[] = {binary, "0", texts[0], texts[1], threads > 2 ? texts[2] : NULL, NULL};
    for (unsigned t = 0; t < threads; t++) {
        if (strpbrk(texts[t], "BQV"))
            return true;
        make_seq_cst(texts[t]);
    }
    if (explore_program(&found, arguments, &options, 1) && found.outcomes == outcomes)
        return true;
    printf("'%s' '%s' '%s': other outcomes under hb\n", texts[0], texts[1],
           threads > 2 ? texts[2] : "");
    return false;
}

static bool has_rwlock(char texts[][64], unsigned threads)
{
    bool any = false;
    for (unsigned t = 0; t < threads; t++)
        any |= strpbrk(texts[t], "GX") != NULL;
    return any;
}

static bool compare_bounded(char *binary, unsigned threads, char texts[][64], unsigned bound)
{
    struct explored found;
    struct sm_options options = explore_options(SM_MODEL_SC);
    char *arguments[] = {binary, "0", texts[0], texts[1], threads > 2 ? texts[2] : NULL, NULL};
    const char *const all_texts[] = {texts[0], texts[1], texts[2]};
    struct interleavings all = interleave_within(threads, all_texts, bound);
    uint64_t most =
        has_rwlock(texts, threads) ? interleave_all(threads, all_texts).graphs : all.graphs;
    options.preemptions = bound;
    bool ok = explore_program(&found, arguments, &options, 1);
    if (ok && found.executions >= all.graphs && found.executions <= most)
        return true;
    printf("'%s' '%s' '%s', at most %u preemptions: %lu executions, by brute force %lu%s\n",
           texts[0], texts[1], threads > 2 ? texts[2] : "", bound, (unsigned long)found.executions,
           (unsigned long)all.graphs, ok ? "" : ", not explored");
    return false;
}

static bool compare(char *binary, const char *letters)
{
    char texts[3][64];
    unsigned threads = make_program(texts, letters);
    if (!compare_bounded(binary, threads, texts, below(4)))
        return false;
    struct explored found;
    struct sm_options options = explore_options(SM_MODEL_SC);
    char *arguments[] = {binary, "0", texts[0], texts[1], threads > 2 ? texts[2] : NULL, NULL};
    bool ok = explore_program(&found, arguments, &options, 1 + below(2));
    struct interleavings all =
        interleave_all(threads, (const char *[]){texts[0], texts[1], texts[2]});
    if (ok && found.executions == all.graphs && found.outcomes == all.outcomes)
        return compare_hb(binary, threads, texts, all.outcomes);
    printf("'%s' '%s' '%s': %lu executions, by brute force %lu%s%s\n", texts[0], texts[1],
           threads > 2 ? texts[2] : "", (unsigned long)found.executions, (unsigned long)all.graphs,
           found.outcomes == all.outcomes ? "" : ", other outcomes", ok ? "" : ", not explored");
    return false;
}

int main(int argc, char **argv)
{
    int failed = 0, n = argc == 5 ? atoi(argv[2]) : 0;
    if (!n) {
        fprintf(stderr, "usage: %s PROGRAM N SEED LETTERS\n", argv[0]);
        return 2;
    }
    source = sm_random_seed(strtoull(argv[3], NULL, 10), 0);
    for (int i = 0; i < n; i++)
        failed += !compare(argv[1], argv[4]);
    printf("%d programs, %d disagreements\n", n, failed);
    return failed != 0;
}
