/* main.c - runs one case; without arguments, lists them. See cases.h. */
#include "tests/openmp/cases.h"

#include <string.h>

static const struct openmp_case *const groups[] = {regions, loops, locks, tasks, mixed};

/* Locks in opposite order: no data race, but two threads may wait for each other. Not listed. */
static void opposite(bool racy)
{
    omp_lock_t a, b;
    omp_init_lock(&a);
    omp_init_lock(&b);
#pragma omp parallel num_threads(2)
    {
        bool turned = racy && omp_get_thread_num();
        omp_set_lock(turned ? &b : &a);
        omp_set_lock(turned ? &a : &b);
        omp_unset_lock(turned ? &a : &b);
        omp_unset_lock(turned ? &b : &a);
    }
    omp_destroy_lock(&a);
    omp_destroy_lock(&b);
}

static void list(void)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (const struct openmp_case *at = groups[i]; at->name; at++)
            printf("%s %s\n", at->name, at->variable);
}

static int run(const char *name, bool racy)
{
    if (strcmp(name, "opposite") == 0) {
        opposite(racy);
        return 0;
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (const struct openmp_case *at = groups[i]; at->name; at++)
            if (strcmp(at->name, name) == 0) {
                at->run(racy);
                return 0;
            }
    fprintf(stderr, "no case %s\n", name);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return run(argv[1], strcmp(argv[2], "race") == 0);
    list();
    return argc == 1 ? 0 : 2;
}
