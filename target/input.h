/*
 * input.h - the standard input of the program under test.
 *
 * An execution is a function of its input, so the input must not depend on the timing of a pipe: it
 * is read to its end before the program starts, and the program gets a file. A terminal counts as
 * empty.
 */
#ifndef SM_TARGET_INPUT_H
#define SM_TARGET_INPUT_H

#include "base/memory.h"
#include "base/status.h"

/* A read-only descriptor, at its start, with the contents of `fd`; -1 on error. */
int sm_input_spool(int fd, struct sm_error *error);
/* The same for given bytes. */
int sm_input_from(const struct sm_buffer *bytes, struct sm_error *error);

#endif
