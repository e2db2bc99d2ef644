#define _GNU_SOURCE
#include "native/intercept/io.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>

#include "abi/site.h"
#include "core/libc/real.h"
#include "native/intercept/message.h"
#include "native/shadow.h"

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

bool sm_send_buffer(int fd, const void *buffer, size_t size)
{
    struct iovec part = {(void *)buffer, size};
    return sm_send_parts(fd, &part, 1);
}

bool sm_send_parts(int fd, const struct iovec *parts, size_t n)
{
    if (!sm_fd_orders(fd))
        return false;
    sm_parts_read(parts, n, SSIZE_MAX);
    sm_fd_gives(fd);
    return true;
}

/* Who sent it, as far as that fits, and what came beside the data is written for the program as
   well. */
SM_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    size_t room = message->msg_namelen;
    ssize_t result = SM_REAL(recvmsg)(fd, message, flags);
    if (result < 0)
        return result;
    sm_fd_takes(fd);
    if (message->msg_name)
        sm_buffer_written(message->msg_name,
                          (ssize_t)(message->msg_namelen < room ? message->msg_namelen : room));
    if (message->msg_control)
        sm_buffer_written(message->msg_control, (ssize_t)message->msg_controllen);
    sm_parts_written(message->msg_iov, message->msg_iovlen, result);
    return result;
}
