/*
 * io.h - memory that the kernel, or stdio, reads and writes for the program.
 *
 * So much of a buffer as the call says it filled or used is an access of the calling thread. It
 * is checked when the call is over: only then is it known how much. Nothing synchronises in
 * between, so what raced with it while the call went on still does. But what is sent to another
 * thread (message.h) is checked, all of it, and released before the call: that thread may use the
 * buffer before the call is over. errno stays.
 */
#ifndef SM_NATIVE_INTERCEPT_IO_H
#define SM_NATIVE_INTERCEPT_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Nothing if size is not positive. */
void sm_buffer_written(const void *buffer, ssize_t size);
void sm_buffer_read(const void *buffer, ssize_t size);
/* Of `size` bytes each part has had its share, in turn. */
void sm_parts_written(const struct iovec *parts, size_t n, ssize_t size);
void sm_parts_read(const struct iovec *parts, size_t n, ssize_t size);
/* Before the call, which returns to pc (callers.h); false: nobody is ordered by it, so see to the
 * buffer after the call. */
bool sm_send_buffer(int fd, const void *buffer, size_t size, const void *pc);
bool sm_send_parts(int fd, const struct iovec *parts, size_t n, const void *pc);

#endif
