/*
 * harm.h - many small programs in one: the first argument names the one to run.
 *
 *   CASE(name, kind) { ... }
 *
 * is a program that must be found to have that kind of harm (the word of abi/failures.def; or one
 * of several, `one + other`), or, if it is `none`, no harm at all. run.sh reads these lines. The
 * thread functions and the objects stand before it.
 */
#ifndef SM_TESTS_HARM_H
#define SM_TESTS_HARM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct harm_case {
    const char *name;
    void (*run)(void);
    struct harm_case *next;
};
static struct harm_case *harm_cases;

#define CASE(name, kind)                                                                           \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        static struct harm_case one = {#name, name, NULL};                                         \
        one.next = harm_cases;                                                                     \
        harm_cases = &one;                                                                         \
    }                                                                                              \
    static void name(void)

#define SLOTS 4
static pthread_t harm_threads[SLOTS];
static int harm_started;

static inline void start(void *(*function)(void *))
{
    pthread_create(&harm_threads[harm_started++], NULL, function, NULL);
}

static inline void join_all(void)
{
    while (harm_started)
        pthread_join(harm_threads[--harm_started], NULL);
}

int main(int argc, char **argv)
{
    for (struct harm_case *one = harm_cases; one && argc > 1; one = one->next)
        if (strcmp(one->name, argv[1]) == 0) {
            one->run();
            return 0;
        }
    return 99;
}

#endif
