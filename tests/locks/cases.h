/*
 * cases.h - many small programs in one: each case is named on the command line.
 *
 * A case says what every command that runs it must find: a kind of abi/failures.def, or "none" for
 * a twin in which nothing may be found. `list` prints name, kind and where it is to be tried:
 *   c  under control: run and verify
 *   C  under control: run
 *   v  under control: verify, since it depends on the schedule
 *   h  only by hunt, in a way of its own (run.sh)
 *   n  natively, built with --detect (and NATIVE defined)
 * and `hangs`, if the program then waits for ever, natively.
 */
#ifndef SM_TESTS_LOCKS_CASES_H
#define SM_TESTS_LOCKS_CASES_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct test_case {
    const char *name;
    void (*run)(void);
    const char *kind, *where;
};

#define CASE(name, kind, where) {#name, name, kind, where}

static inline int run_case(const struct test_case *cases, size_t n, int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < n; i++) {
        if (strcmp(wanted, "list") == 0)
            printf("%s %s %s\n", cases[i].name, cases[i].kind, cases[i].where);
        else if (strcmp(wanted, cases[i].name) == 0)
            cases[i].run();
    }
    return 0;
}

#define MAIN(cases)                                                                                \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return run_case(cases, sizeof(cases) / sizeof *(cases), argc, argv);                       \
    }

/* Runs both to their end, the second after the first has been started. */
static inline void run_two(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

static inline void run_one(void *(*only)(void *))
{
    pthread_t a;
    pthread_create(&a, NULL, only, NULL);
    pthread_join(a, NULL);
}

#endif
