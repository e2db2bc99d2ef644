/*
 * io.h - common parts of the interceptors of blocking calls.
 *
 * A blocking call never blocks the process. The interceptor first calls poll(2); if the call would
 * block, the thread yields until the descriptor is ready, and only then is the call made. Between
 * threads of the program this is deterministic: a pipe is ready exactly when another thread has
 * written to it. Input from outside is waited for only when no thread can run.
 *
 * The structure of an interceptor:
 *
 *     struct sm_event event = sm_io_begin(fd, SM_CALLER());     cancellation, others run
 *     if (!sm_io_ready(fd, POLLIN, SM_NO_DEADLINE, &event))      errno is set
 *         return sm_io_end(&event, -1);
 *     return sm_io_end(&event, SM_REAL(read)(fd, buffer, size)); event with the result
 */
#ifndef SM_RUNTIME_INTERCEPT_IO_H
#define SM_RUNTIME_INTERCEPT_IO_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "runtime/sched/sched.h"

/* A scheduling point and a cancellation point. */
struct sm_event sm_io_begin(long object, void *pc);
/* The same, and a use of the descriptor: one that another thread closes is a race. */
struct sm_event sm_io_begin_use(int fd, void *pc);
/* Records the result (or the error) and returns it; errno is preserved. */
long sm_io_end(struct sm_event *event, long result);

/* Waits until fd is ready for `events`, or would not block anyway. False, with errno EINTR or
   EAGAIN, if a signal or the deadline comes first. */
bool sm_io_ready(int fd, short events, uint64_t deadline, struct sm_event *event);
bool sm_io_is_ready(int fd, short events);
bool sm_io_nonblocking(int fd);
/* The kernel has given out a descriptor; -1: it has not. Returns it. */
int sm_io_opened(int fd);
/* Of /dev/random or /dev/urandom. */
bool sm_io_is_random(int fd);

/* For waits without a descriptor to poll: pauses until a retry makes sense. `tries` counts the
   retries; the program's other threads go first, and if there are none the process really sleeps a
   little. False with errno EINTR. */
bool sm_io_retry(unsigned *tries, struct sm_event *event);

/* The point in virtual time `delay` from now; SM_NO_DEADLINE for NULL. */
uint64_t sm_io_deadline(const struct timespec *delay);
/* The same for poll's milliseconds; a negative number means for ever. */
uint64_t sm_io_deadline_ms(int milliseconds);

/* Moves a descriptor of the runtime out of the range of the program's numbers. */
int sm_io_private_fd(int fd);

/* Signals from outside as a descriptor: once the program has children, they may signal it (SIGCHLD
   at least), and waiting for a signal means waiting for the outside world. */
void sm_io_expect_arrivals(void);
bool sm_io_expects_arrival(void);
/* Fills in the descriptor; 0: there is none. Forget: it is not ready until the next one. */
struct pollfd;
uint32_t sm_io_arrivals(struct pollfd *poll_fd);
void sm_io_forget_arrivals(void);
enum sm_wake_reason sm_io_wait_arrival(uint64_t deadline, struct sm_event *event);
/* From a signal handler: a signal has arrived. */
void sm_io_arrival(void);

/* Fills memory from the program's random stream (random.c). */
void sm_random_fill(void *to, size_t size);

#endif
