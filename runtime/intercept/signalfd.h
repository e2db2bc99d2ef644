/*
 * signalfd.h - signals that are read from a descriptor.
 *
 * Signals are pending in the runtime (signals.h), not in the kernel, so a signalfd is an eventfd
 * here: it is readable while a signal of its set is pending, for poll and its like. A read takes
 * the signal from the runtime's queue. A signal that was sent to one thread makes the descriptor
 * readable for all; only that thread reads it. Copies (dup) and readv are not supported.
 */
#ifndef SM_RUNTIME_INTERCEPT_SIGNALFD_H
#define SM_RUNTIME_INTERCEPT_SIGNALFD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "runtime/event.h"

bool sm_is_signalfd(int fd);
/* -1 with errno, or the number of bytes. */
ssize_t sm_signalfd_read(int fd, void *buffer, size_t size, struct sm_event *event, void *pc);
void sm_signalfd_close(int fd);
/* The queue of signals has changed. */
void sm_signalfds_update(void);
/* The running thread sends this signal: that comes before a poll that returns. */
void sm_signalfds_give(int signo, void *pc);

#endif
