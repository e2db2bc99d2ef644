/*
 * combinations.h - which calls are made by which thread, as text (include/stalemate_harness.h has
 * the format).
 *
 * All combinations of a bounded size are numbered: what main calls before the threads, how many
 * calls each thread makes, which, and which order is imposed between two threads. Numbers are
 * decoded one by one, and combinations that show nothing new are dropped: those that differ only by
 * the order of threads or the names of keys, that change nothing, in which a call lacks what it
 * needs, or that may block for ever. If more are left than asked for, evenly spaced ones are taken.
 */
#ifndef SM_HARNESS_COMBINATIONS_H
#define SM_HARNESS_COMBINATIONS_H

#include "harness/library.h"

struct sm_combinations {
    struct sm_list texts;
    double of;      /* how many there are */
    bool estimated; /* that number */
    size_t orders;  /* most sequential runs that one of them has */
};

void sm_combinations_make(struct sm_combinations *combinations, const struct sm_library *library,
                          const struct sm_settings *settings);
void sm_combinations_free(struct sm_combinations *combinations);

/* What main calls after the threads. To be freed. */
char *sm_combinations_finally(const struct sm_library *library);

#endif
