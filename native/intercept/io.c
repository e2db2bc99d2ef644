#define _GNU_SOURCE
#include "native/intercept/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>

#include "abi/site.h"
#include "core/libc/callers.h"
#include "core/libc/descriptors.h"
#include "core/libc/real.h"
#include "native/intercept/message.h"
#include "native/shadow.h"
#include "native/sync.h"

const struct sm_site sm_input_site = {
    .file = "?", .function = "?", .variable = "", .kind = SM_SITE_STORE, .order = SM_ORDER_PLAIN};
const struct sm_site sm_output_site = {
    .file = "?", .function = "?", .variable = "", .kind = SM_SITE_LOAD, .order = SM_ORDER_PLAIN};

void sm_buffer_written(const void *buffer, ssize_t size)
{
    int error = errno;
    if (size > 0)
        sm_check_range(buffer, (size_t)size, SM_ACCESS_WRITE, &sm_input_site);
    errno = error;
}

void sm_buffer_read(const void *buffer, ssize_t size)
{
    int error = errno;
    if (size > 0)
        sm_check_range(buffer, (size_t)size, 0, &sm_output_site);
    errno = error;
}

static void each_part(const struct iovec *parts, size_t n, ssize_t size,
                      void (*access)(const void *buffer, ssize_t size))
{
    size_t left = size > 0 ? (size_t)size : 0;
    for (size_t i = 0; i < n && left; i++) {
        size_t share = parts[i].iov_len < left ? parts[i].iov_len : left;
        access(parts[i].iov_base, (ssize_t)share);
        left -= share;
    }
}

void sm_parts_written(const struct iovec *parts, size_t n, ssize_t size)
{
    each_part(parts, n, size, sm_buffer_written);
}

void sm_parts_read(const struct iovec *parts, size_t n, ssize_t size)
{
    each_part(parts, n, size, sm_buffer_read);
}

bool sm_send_buffer(int fd, const void *buffer, size_t size, const void *pc)
{
    struct iovec part = {(void *)buffer, size};
    return sm_send_parts(fd, &part, 1, pc);
}

bool sm_send_parts(int fd, const struct iovec *parts, size_t n, const void *pc)
{
    if (!sm_fd_orders(fd))
        return false;
    if (sm_caller_counts(pc))
        sm_parts_read(parts, n, SSIZE_MAX);
    sm_fd_gives(fd);
    return true;
}

/* The call also writes the sender's address, as far as it fits, and ancillary data. */
SM_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    size_t room = message->msg_namelen;
    sm_descriptor_used(fd, SM_CALLER());
    ssize_t result = SM_REAL(recvmsg)(fd, message, flags);
    if (result >= 0)
        sm_fd_takes(fd);
    if (result < 0 || !sm_caller_counts(SM_CALLER()))
        return result;
    if (message->msg_name)
        sm_buffer_written(message->msg_name,
                          (ssize_t)(message->msg_namelen < room ? message->msg_namelen : room));
    if (message->msg_control)
        sm_buffer_written(message->msg_control, (ssize_t)message->msg_controllen);
    sm_parts_written(message->msg_iov, message->msg_iovlen, result);
    return result;
}

/* ---- moved by the kernel ---- */

SM_EXPORT ssize_t splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                         unsigned flags)
{
    sm_descriptor_used(from, SM_CALLER());
    sm_descriptor_used(to, SM_CALLER());
    sm_fd_feeds(from, to);
    sm_fd_gives(to);
    ssize_t result = SM_REAL(splice)(from, from_at, to, to_at, size, flags);
    if (result >= 0)
        sm_fd_takes(from);
    return result;
}

SM_EXPORT ssize_t tee(int from, int to, size_t size, unsigned flags)
{
    sm_descriptor_used(from, SM_CALLER());
    sm_descriptor_used(to, SM_CALLER());
    sm_fd_feeds(from, to);
    sm_fd_gives(to);
    ssize_t result = SM_REAL(tee)(from, to, size, flags);
    if (result >= 0)
        sm_fd_takes(from);
    return result;
}

/* ---- open ---- */

static int opened(int fd)
{
    sm_descriptor_opened(fd);
    return fd;
}

/* The optional last argument; read even if it was not given, and then unused. */
#define MODE_AFTER(flags)                                                                          \
    ({                                                                                             \
        va_list arguments_;                                                                        \
        va_start(arguments_, flags);                                                               \
        mode_t mode_ = va_arg(arguments_, mode_t);                                                 \
        va_end(arguments_);                                                                        \
        mode_;                                                                                     \
    })

SM_EXPORT int open(const char *path, int flags, ...)
{
    return opened(SM_REAL(open)(path, flags, MODE_AFTER(flags)));
}

SM_EXPORT int openat(int directory, const char *path, int flags, ...)
{
    return opened(SM_REAL(openat)(directory, path, flags, MODE_AFTER(flags)));
}

SM_EXPORT int __open_2(const char *path, int flags);
SM_EXPORT int __open_2(const char *path, int flags)
{
    return opened(SM_REAL(open)(path, flags));
}

SM_EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));
SM_EXPORT int openat64(int directory, const char *path, int flags, ...)
    __attribute__((alias("openat")));
SM_EXPORT int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

/* ---- streams ----
 * A stream's lock protects the accesses of putc_unlocked and the like, which are macros. */

SM_EXPORT void flockfile(FILE *stream)
{
    SM_REAL(flockfile)(stream);
    sm_acquire(stream, SM_KEY_MAIN);
}

SM_EXPORT int ftrylockfile(FILE *stream)
{
    int result = SM_REAL(ftrylockfile)(stream);
    if (result == 0)
        sm_acquire(stream, SM_KEY_MAIN);
    return result;
}

SM_EXPORT void funlockfile(FILE *stream)
{
    sm_release(stream, SM_KEY_MAIN);
    SM_REAL(funlockfile)(stream);
}
