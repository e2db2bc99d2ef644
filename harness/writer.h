/*
 * writer.h - the test as text: how each function is called, and the combinations.
 */
#ifndef SM_HARNESS_WRITER_H
#define SM_HARNESS_WRITER_H

#include "harness/combinations.h"

void sm_harness_write(const struct sm_library *library, const struct sm_combinations *combinations,
                      const struct sm_settings *settings, FILE *to);

/* --list: prints the roles. */
void sm_harness_list(const struct sm_library *library, FILE *to);

#endif
