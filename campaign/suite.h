/*
 * suite.h - a list of tests, each a command line.
 *
 * Three kinds of list are read: a text file (one command line for each line, optionally after a
 * name and a colon; `#` begins a comment), the output of `ctest --show-only=json-v1`, and that of
 * `meson introspect --tests`. For the directory of a CMake or Meson build, its list is read.
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
