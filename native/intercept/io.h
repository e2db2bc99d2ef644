/*
 * io.h - memory that the kernel or stdio reads and writes for the program.
 *
 * The part of a buffer that a call reports as filled or used is an access of the calling thread. It
 * is checked after the call, when the size is known. Nothing synchronises in between, so what raced
 * with it during the call still does. But data sent to another thread (message.h) is checked as a
 * whole, and released, before the call: that thread may use the buffer before the call returns.
 * errno is preserved.
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
/* `size` bytes, distributed over the parts in order. */
void sm_parts_written(const struct iovec *parts, size_t n, ssize_t size);
void sm_parts_read(const struct iovec *parts, size_t n, ssize_t size);
/* Before the call with return address pc (callers.h); false: the descriptor orders no threads, so
 * check the buffer after the call. */
bool sm_send_buffer(int fd, const void *buffer, size_t size, const void *pc);
bool sm_send_parts(int fd, const struct iovec *parts, size_t n, const void *pc);

#endif
