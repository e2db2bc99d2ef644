/*
 * suite.h - a list of tests, each a command line.
 *
 * Three kinds of list are read: a text file (one command line for each line, `#` for comments, a
 * name and a colon before it if it is to have one), what `ctest --show-only=json-v1` prints, what
 * `meson introspect --tests` prints; and of the directory of a CMake or Meson build, its list.
 */
#ifndef SM_CAMPAIGN_SUITE_H
#define SM_CAMPAIGN_SUITE_H

#include "base/memory.h"
#include "base/status.h"

/* Owned. */
struct sm_suite_test {
    char *name;
    struct sm_list command, environment; /* environment: NAME=VALUE, added to ours */
    char *directory;                     /* NULL: ours */
};
struct sm_suite {
    struct sm_suite_test *tests; /* names differ */
    size_t n;
};

bool sm_suite_read(struct sm_suite *suite, const char *path, struct sm_error *error);
void sm_suite_free(struct sm_suite *suite);

#endif
