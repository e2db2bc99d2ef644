/*
 * capture.h - one output stream of the program under test.
 *
 * The program writes to a file in memory, not to a pipe: a write to a file never blocks, so the
 * execution does not depend on how fast we read. While the program runs, sm_capture_pass passes on
 * what is new.
 */
#ifndef SM_TARGET_CAPTURE_H
#define SM_TARGET_CAPTURE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/memory.h"
#include "base/status.h"

struct sm_capture {
    int fd;      /* the file; the program's descriptor is a copy of it */
    int pass_to; /* -1: output is not passed on */
    off_t passed;
};

bool sm_capture_open(struct sm_capture *capture, const char *name, int pass_to,
                     struct sm_error *error);
/* Empties the file before another execution. */
void sm_capture_reset(struct sm_capture *capture);
/* Passes on what is new; returns the size of the file. */
off_t sm_capture_pass(struct sm_capture *capture);
void sm_capture_read(const struct sm_capture *capture, struct sm_buffer *to);
void sm_capture_close(struct sm_capture *capture);

#endif
