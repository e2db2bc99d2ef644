/*
 * expected.h - the file of verify --expect: which outcomes are allowed, which are forbidden.
 *
 * A line is `allow OUTCOME` or `forbid OUTCOME`, where \n stands for the end of a line; `#` begins
 * a comment. With `allow` lines all other outcomes are forbidden.
 */
#ifndef SM_COMMANDS_EXPECTED_H
#define SM_COMMANDS_EXPECTED_H

#include "abi/control.h"
#include "base/status.h"

/* Fills expected, n_allowed and n_forbidden, which must be zero. */
bool sm_expected_read(const char *path, struct sm_explored *explored, struct sm_error *error);

#endif
