/*
 * cell.h - what the programs of bench/cliffs share. Each is a class of cells: small loops that
 * differ in one property (size, place, sharing, order ...), made by macros and named in one table.
 *
 *   PROGRAM list             the names of the cells
 *   PROGRAM calibrate CELL S how many rounds take about S seconds
 *   PROGRAM CELL N           CPU seconds of N rounds of one cell, with start-up left out
 *   PROGRAM all N            every cell, N rounds each: race-free, so nothing may be reported
 *   PROGRAM twins            the names of the racy twins, one for each way of sharing
 *   PROGRAM twin NAME        one of them: a race must be reported
 *
 * A cell's body runs in each of its threads. `prepare` runs before them in the main thread. The
 * bodies are noinline, so that a profile and a report name them.
 */
#ifndef CLIFFS_CELL_H
#define CLIFFS_CELL_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_THREADS 16

struct context {
    int id, n_threads;
    long rounds;
};

struct cell {
    const char *name;
    int n_threads;
    void (*body)(const struct context *);
    void (*prepare)(int n_threads);
};

struct twin {
    const char *name;
    void (*first)(void), (*second)(void);
};

/* Defined by each class; a row without a name ends it. */
extern const struct cell cells[];
extern const struct twin twins[];

#define BODY(name) static __attribute__((noinline)) void name(const struct context *context)
#define TWIN(name) static __attribute__((noinline)) void name(void)

/* One access for each round, whatever the optimiser knows. */
#define SCALAR_LOOP _Pragma("clang loop vectorize(disable) unroll(disable) interleave(disable)")

/* A value counts as used. No memory operand, no clobber: those are cells of their own. */
#define USE(value) __asm__ volatile("" : : "r"(value))

/* A zero that the optimiser does not know: x & zero makes an address depend on x. */
static inline long hidden_zero(void)
{
    long zero = 0;
    __asm__ volatile("" : "+r"(zero));
    return zero;
}

struct start {
    const struct cell *cell;
    struct context context;
};

static void *run_body(void *argument)
{
    const struct start *start = (const struct start *)argument;
    start->cell->body(&start->context);
    return NULL;
}

static void run_threads(const struct cell *cell, long rounds)
{
    pthread_t threads[MAX_THREADS];
    struct start starts[MAX_THREADS];
    for (int i = 0; i < cell->n_threads; i++) {
        starts[i].cell = cell;
        starts[i].context.id = i;
        starts[i].context.n_threads = cell->n_threads;
        starts[i].context.rounds = rounds;
        if (pthread_create(&threads[i], NULL, run_body, &starts[i]))
            abort();
    }
    for (int i = 0; i < cell->n_threads; i++)
        pthread_join(threads[i], NULL);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double run_cell(const struct cell *cell, long rounds)
{
    if (cell->prepare)
        cell->prepare(cell->n_threads);
    double start = cpu_seconds();
    run_threads(cell, rounds);
    return cpu_seconds() - start;
}

static const struct cell *find_cell(const char *name)
{
    for (const struct cell *cell = cells; cell->name; cell++)
        if (strcmp(cell->name, name) == 0)
            return cell;
    fprintf(stderr, "no cell %s\n", name);
    exit(2);
}

/* The least of three: a thread that waits for another to be scheduled burns CPU time. */
static double least(const struct cell *cell, long rounds)
{
    double best = run_cell(cell, rounds);
    for (int i = 0; i < 2; i++) {
        double took = run_cell(cell, rounds);
        best = took < best ? took : best;
    }
    return best;
}

static int calibrate(const char *name, double seconds)
{
    const struct cell *cell = find_cell(name);
    long rounds = 16;
    double took = least(cell, rounds);
    while (took < seconds / 4) {
        if (rounds >= 1l << 36) {
            fprintf(stderr, "%s takes no time: was its loop optimised away?\n", name);
            return 1;
        }
        rounds *= 4;
        took = least(cell, rounds);
    }
    printf("%ld\n", (long)((double)rounds * seconds / took) + 1);
    return 0;
}

static void *run_twin_part(void *part)
{
    (*(void (**)(void))part)();
    return NULL;
}

static int run_twin(const char *name)
{
    for (const struct twin *twin = twins; twin->name; twin++) {
        if (strcmp(twin->name, name) != 0)
            continue;
        void (*parts[])(void) = {twin->first, twin->second};
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, run_twin_part, &parts[i]);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        return 0;
    }
    fprintf(stderr, "no twin %s\n", name);
    return 2;
}

static int list(void)
{
    for (const struct cell *cell = cells; cell->name; cell++)
        puts(cell->name);
    return 0;
}

static int list_twins(void)
{
    for (const struct twin *twin = twins; twin->name; twin++)
        puts(twin->name);
    return 0;
}

static int run_all(long rounds)
{
    int n = 0;
    for (const struct cell *cell = cells; cell->name; cell++, n++)
        run_cell(cell, rounds);
    printf("%d cells\n", n);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list();
    if (argc == 2 && strcmp(argv[1], "twins") == 0)
        return list_twins();
    if (argc == 3 && strcmp(argv[1], "twin") == 0)
        return run_twin(argv[2]);
    if (argc == 3 && strcmp(argv[1], "all") == 0)
        return run_all(atol(argv[2]));
    if (argc == 4 && strcmp(argv[1], "calibrate") == 0)
        return calibrate(argv[2], atof(argv[3]));
    if (argc == 3)
        return printf("%.6f\n", run_cell(find_cell(argv[1]), atol(argv[2]))) < 0;
    fprintf(stderr, "usage: %s list | calibrate CELL S | CELL N | all N | twins | twin NAME\n",
            argv[0]);
    return 2;
}

#endif
