/*
 * io.c - memory that the kernel, or stdio, reads and writes for the program.
 *
 * So much of a buffer as the call says it filled or used is an access of the calling thread. It
 * is checked when the call is over: only then is it known how much. Nothing synchronises in
 * between, so what raced with it while the call went on still does. But what is sent to another
 * thread (message.h) is checked, all of it, and released before the call: that thread may use the
 * buffer before the call is over.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "abi/site.h"
#include "core/libc/real.h"
#include "native/intercept/message.h"
#include "native/shadow.h"

const struct sm_site sm_input_site = {
    .file = "?", .function = "?", .variable = "", .kind = SM_SITE_STORE, .order = SM_ORDER_PLAIN};
const struct sm_site sm_output_site = {
    .file = "?", .function = "?", .variable = "", .kind = SM_SITE_LOAD, .order = SM_ORDER_PLAIN};

static ssize_t filled(const void *buffer, ssize_t size)
{
    int error = errno;
    if (size > 0)
        sm_check_range(buffer, (size_t)size, SM_ACCESS_WRITE, &sm_input_site);
    errno = error;
    return size;
}

static ssize_t used(const void *buffer, ssize_t size)
{
    int error = errno;
    if (size > 0)
        sm_check_range(buffer, (size_t)size, 0, &sm_output_site);
    errno = error;
    return size;
}

static ssize_t came(int fd, const void *buffer, ssize_t size)
{
    if (size >= 0)
        sm_fd_takes(fd);
    return filled(buffer, size);
}

/* Before the call; false: see to it behind the call. */
static bool send_off(int fd, const void *buffer, size_t size)
{
    if (!sm_fd_orders(fd))
        return false;
    used(buffer, (ssize_t)size);
    sm_fd_gives(fd);
    return true;
}

/* ---- descriptors ---- */

SM_EXPORT ssize_t read(int fd, void *buffer, size_t size)
{
    return came(fd, buffer, SM_REAL(read)(fd, buffer, size));
}

SM_EXPORT ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
    return filled(buffer, SM_REAL(pread)(fd, buffer, size, offset));
}

SM_EXPORT ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset)
{
    return filled(buffer, SM_REAL(pread64)(fd, buffer, size, offset));
}

SM_EXPORT ssize_t write(int fd, const void *buffer, size_t size)
{
    bool gone = send_off(fd, buffer, size);
    ssize_t result = SM_REAL(write)(fd, buffer, size);
    return gone ? result : used(buffer, result);
}

SM_EXPORT ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset)
{
    return used(buffer, SM_REAL(pwrite)(fd, buffer, size, offset));
}

SM_EXPORT ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t offset)
{
    return used(buffer, SM_REAL(pwrite64)(fd, buffer, size, offset));
}

/* Of `result` bytes each buffer has had its part, in turn. */
static ssize_t each_part(const struct iovec *vectors, size_t n, ssize_t result,
                         ssize_t (*access)(const void *buffer, ssize_t size))
{
    size_t left = result > 0 ? (size_t)result : 0;
    for (size_t i = 0; i < n && left; i++) {
        size_t part = vectors[i].iov_len < left ? vectors[i].iov_len : left;
        access(vectors[i].iov_base, (ssize_t)part);
        left -= part;
    }
    return result;
}

static ssize_t parts_came(int fd, const struct iovec *vectors, size_t n, ssize_t result)
{
    if (result >= 0)
        sm_fd_takes(fd);
    return each_part(vectors, n, result, filled);
}

static bool send_parts_off(int fd, const struct iovec *vectors, size_t n)
{
    if (!sm_fd_orders(fd))
        return false;
    each_part(vectors, n, SSIZE_MAX, used);
    sm_fd_gives(fd);
    return true;
}

SM_EXPORT ssize_t readv(int fd, const struct iovec *vectors, int n)
{
    return parts_came(fd, vectors, (size_t)n, SM_REAL(readv)(fd, vectors, n));
}

SM_EXPORT ssize_t writev(int fd, const struct iovec *vectors, int n)
{
    bool gone = n > 0 && send_parts_off(fd, vectors, (size_t)n);
    ssize_t result = SM_REAL(writev)(fd, vectors, n);
    return gone ? result : each_part(vectors, (size_t)n, result, used);
}

SM_EXPORT ssize_t preadv(int fd, const struct iovec *vectors, int n, off_t offset)
{
    return each_part(vectors, (size_t)n, SM_REAL(preadv)(fd, vectors, n, offset), filled);
}

SM_EXPORT ssize_t preadv64(int fd, const struct iovec *vectors, int n, off64_t offset)
{
    return each_part(vectors, (size_t)n, SM_REAL(preadv64)(fd, vectors, n, offset), filled);
}

SM_EXPORT ssize_t pwritev(int fd, const struct iovec *vectors, int n, off_t offset)
{
    return each_part(vectors, (size_t)n, SM_REAL(pwritev)(fd, vectors, n, offset), used);
}

SM_EXPORT ssize_t pwritev64(int fd, const struct iovec *vectors, int n, off64_t offset)
{
    return each_part(vectors, (size_t)n, SM_REAL(pwritev64)(fd, vectors, n, offset), used);
}

/* ---- sockets ---- */

/* With MSG_TRUNC the result is the length of what came, which may be more than fits. */
static ssize_t received(int fd, void *buffer, size_t size, ssize_t result)
{
    came(fd, buffer, result > (ssize_t)size ? (ssize_t)size : result);
    return result;
}

SM_EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    return received(fd, buffer, size, SM_REAL(recv)(fd, buffer, size, flags));
}

SM_EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
                           struct sockaddr *restrict from, socklen_t *restrict length)
{
    return received(fd, buffer, size, SM_REAL(recvfrom)(fd, buffer, size, flags, from, length));
}

SM_EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
    bool gone = send_off(fd, buffer, size);
    ssize_t result = SM_REAL(send)(fd, buffer, size, flags);
    return gone ? result : used(buffer, result);
}

SM_EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags,
                         const struct sockaddr *to, socklen_t length)
{
    bool gone = send_off(fd, buffer, size);
    ssize_t result = SM_REAL(sendto)(fd, buffer, size, flags, to, length);
    return gone ? result : used(buffer, result);
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
        filled(message->msg_name,
               (ssize_t)(message->msg_namelen < room ? message->msg_namelen : room));
    if (message->msg_control)
        filled(message->msg_control, (ssize_t)message->msg_controllen);
    return each_part(message->msg_iov, message->msg_iovlen, result, filled);
}

SM_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    bool gone = send_parts_off(fd, message->msg_iov, message->msg_iovlen);
    ssize_t result = SM_REAL(sendmsg)(fd, message, flags);
    return gone ? result : each_part(message->msg_iov, message->msg_iovlen, result, used);
}

/* ---- stdio ---- */

SM_EXPORT size_t fread(void *restrict buffer, size_t size, size_t n, FILE *restrict file)
{
    size_t result = SM_REAL(fread)(buffer, size, n, file);
    filled(buffer, (ssize_t)(result * size));
    return result;
}

SM_EXPORT size_t fwrite(const void *restrict buffer, size_t size, size_t n, FILE *restrict file)
{
    size_t result = SM_REAL(fwrite)(buffer, size, n, file);
    used(buffer, (ssize_t)(result * size));
    return result;
}

SM_EXPORT char *fgets(char *restrict buffer, int size, FILE *restrict file)
{
    char *result = SM_REAL(fgets)(buffer, size, file);
    if (result)
        filled(buffer, (ssize_t)strlen(buffer) + 1);
    return result;
}

/* ---- with the room that _FORTIFY_SOURCE knows of ---- */

#define CHECKED(result, name, ...)                                                                 \
    SM_EXPORT result __##name##_chk(__VA_ARGS__);                                                  \
    SM_EXPORT result __##name##_chk(__VA_ARGS__)

CHECKED(ssize_t, read, int fd, void *buffer, size_t size, size_t room)
{
    return came(fd, buffer, SM_REAL(__read_chk)(fd, buffer, size, room));
}

CHECKED(ssize_t, pread, int fd, void *buffer, size_t size, off_t offset, size_t room)
{
    return filled(buffer, SM_REAL(__pread_chk)(fd, buffer, size, offset, room));
}

CHECKED(ssize_t, pread64, int fd, void *buffer, size_t size, off64_t offset, size_t room)
{
    return filled(buffer, SM_REAL(__pread64_chk)(fd, buffer, size, offset, room));
}

CHECKED(ssize_t, recv, int fd, void *buffer, size_t size, size_t room, int flags)
{
    return received(fd, buffer, size, SM_REAL(__recv_chk)(fd, buffer, size, room, flags));
}

CHECKED(ssize_t, recvfrom, int fd, void *restrict buffer, size_t size, size_t room, int flags,
        struct sockaddr *restrict from, socklen_t *restrict length)
{
    return received(fd, buffer, size,
                    SM_REAL(__recvfrom_chk)(fd, buffer, size, room, flags, from, length));
}

CHECKED(size_t, fread, void *restrict buffer, size_t room, size_t size, size_t n,
        FILE *restrict file)
{
    size_t result = SM_REAL(__fread_chk)(buffer, room, size, n, file);
    filled(buffer, (ssize_t)(result * size));
    return result;
}

CHECKED(char *, fgets, char *restrict buffer, size_t room, int size, FILE *restrict file)
{
    char *result = SM_REAL(__fgets_chk)(buffer, room, size, file);
    if (result)
        filled(buffer, (ssize_t)strlen(buffer) + 1);
    return result;
}
