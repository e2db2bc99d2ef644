/* Calls on descriptors that are open: read, write, sockets. See io.h for the scheme. */
#define _GNU_SOURCE
#include "runtime/intercept/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/aside.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/ports.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signalfd.h"
#include "runtime/intercept/signals.h"
#include "runtime/trace.h"

enum { PRIVATE_FD = 960 };

/* ---- the scheme ---- */

struct sm_event sm_io_begin(long object, void *pc)
{
    sm_test_cancel();
    sm_signals_begin_call(sm_self());
    struct sm_event event = sm_sync_event(SM_EV_SYSCALL, NULL, (uint64_t)object, pc);
    sm_point(&event);
    return event;
}

long sm_io_end(struct sm_event *event, long result)
{
    int error = errno;
    event->value = result == -1 ? (uint64_t)-error : (uint64_t)result;
    sm_sync(event);
    errno = error;
    return result;
}

bool sm_io_nonblocking(int fd)
{
    long flags = sm_syscall(SYS_fcntl, (long)fd, (long)F_GETFL);
    return flags >= 0 && flags & O_NONBLOCK;
}

bool sm_io_is_ready(int fd, short events)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    return sm_syscall(SYS_poll, &poll_fd, 1L, 0L) != 0;
}

bool sm_io_ready(int fd, short events, uint64_t deadline, struct sm_event *event)
{
    while (!sm_io_is_ready(fd, events) && !sm_io_nonblocking(fd)) {
        enum sm_wake_reason reason = sm_block_fd(fd, events, deadline, event);
        if (reason == SM_TIMED_OUT) {
            errno = EAGAIN;
            return false;
        }
        if (reason == SM_SIGNALLED && sm_signals_interrupted(sm_self())) {
            errno = EINTR;
            return false;
        }
    }
    return true;
}

bool sm_io_retry(unsigned *tries, struct sm_event *event)
{
    enum { PATIENT = 16, PAUSE = 1000000 };
    if (++*tries > PATIENT) {
        struct timespec moment = {.tv_nsec = PAUSE};
        sm_syscall(SYS_nanosleep, &moment, NULL);
    }
    struct sm_wait wait = {
        .what = "system call", .deadline = sm_deadline_in(PAUSE), .interruptible = true};
    if (sm_block(&wait, event) != SM_SIGNALLED || !sm_signals_interrupted(sm_self()))
        return true;
    errno = EINTR;
    return false;
}

uint64_t sm_io_deadline(const struct timespec *delay)
{
    if (!delay)
        return SM_NO_DEADLINE;
    if (delay->tv_sec < 0)
        return sm_now();
    if ((uint64_t)delay->tv_sec > UINT64_MAX / SM_SECOND / 2)
        return SM_NO_DEADLINE - 1;
    return sm_deadline_in((uint64_t)delay->tv_sec * SM_SECOND + (uint64_t)delay->tv_nsec);
}

uint64_t sm_io_deadline_ms(int milliseconds)
{
    return milliseconds < 0 ? SM_NO_DEADLINE : sm_deadline_in((uint64_t)milliseconds * 1000000);
}

int sm_io_private_fd(int fd)
{
    long high = sm_syscall(SYS_fcntl, (long)fd, (long)F_DUPFD_CLOEXEC, (long)PRIVATE_FD);
    if (high < 0)
        return fd;
    sm_syscall(SYS_close, (long)fd);
    return (int)high;
}

/* ---- signals from outside, as a descriptor ---- */

static int arrivals = -1;

void sm_io_expect_arrivals(void)
{
    if (arrivals >= 0)
        return;
    long fd = sm_syscall(SYS_eventfd2, 0L, (long)(EFD_NONBLOCK | EFD_CLOEXEC));
    if (fd >= 0)
        arrivals = sm_io_private_fd((int)fd);
}

bool sm_io_expects_arrival(void)
{
    return arrivals >= 0;
}

void sm_io_arrival(void)
{
    uint64_t one = 1;
    if (arrivals >= 0)
        sm_syscall(SYS_write, (long)arrivals, &one, sizeof one);
}

uint32_t sm_io_arrivals(struct pollfd *poll_fd)
{
    *poll_fd = (struct pollfd){.fd = arrivals, .events = POLLIN};
    return arrivals >= 0;
}

void sm_io_forget_arrivals(void)
{
    uint64_t count;
    sm_syscall(SYS_read, (long)arrivals, &count, sizeof count);
}

enum sm_wake_reason sm_io_wait_arrival(uint64_t deadline, struct sm_event *event)
{
    enum sm_wake_reason reason = sm_block_outside(arrivals, deadline, event);
    sm_io_forget_arrivals();
    return reason;
}

/* ---- reading ---- */

/* SO_RCVTIMEO or SO_SNDTIMEO as a point in virtual time. */
static uint64_t socket_deadline(int fd, int option)
{
    struct timeval limit = {0};
    socklen_t size = sizeof limit;
    if (sm_syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)option, &limit, &size) != 0 ||
        (limit.tv_sec == 0 && limit.tv_usec == 0))
        return SM_NO_DEADLINE;
    struct timespec delay = {.tv_sec = limit.tv_sec, .tv_nsec = limit.tv_usec * 1000};
    return sm_io_deadline(&delay);
}

static bool ready_to_read(int fd, struct sm_event *event)
{
    return sm_io_is_ready(fd, POLLIN) ||
           sm_io_ready(fd, POLLIN, socket_deadline(fd, SO_RCVTIMEO), event);
}

static ssize_t show_filled(const void *buffer, ssize_t n, const void *pc)
{
    if (n > 0)
        sm_aside(SM_EV_STORE, buffer, (size_t)n, pc);
    return n;
}

/* Data, or the end of the file, was read. */
static ssize_t came(int fd, struct sm_event *event, ssize_t result, void *pc)
{
    if (result >= 0)
        sm_fd_takes(fd, pc);
    return sm_io_end(event, result);
}

static ssize_t controlled_read(int fd, void *buffer, size_t size, void *pc)
{
    struct sm_event event = sm_io_begin_use(fd, pc);
    if (sm_io_is_random(fd)) {
        sm_random_fill(buffer, size);
        show_filled(buffer, (ssize_t)size, pc);
        return sm_io_end(&event, (long)size);
    }
    if (sm_is_signalfd(fd))
        return came(fd, &event,
                    show_filled(buffer, sm_signalfd_read(fd, buffer, size, &event, pc), pc), pc);
    if (!ready_to_read(fd, &event))
        return sm_io_end(&event, -1);
    ssize_t result = SM_REAL(read)(fd, buffer, size);
    show_filled(buffer, result, pc);
    sm_trace_read_from(fd);
    sm_fds_changed(); /* a full pipe has room again */
    return came(fd, &event, result, pc);
}

SM_EXPORT ssize_t read(int fd, void *buffer, size_t size)
{
    SM_PASS(read, fd, buffer, size);
    return controlled_read(fd, buffer, size, SM_CALLER());
}

SM_EXPORT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room)
{
    if (!sm_self() || size > room)
        return SM_REAL(__read_chk)(fd, buffer, size, room);
    return controlled_read(fd, buffer, size, SM_CALLER());
}

SM_EXPORT ssize_t readv(int fd, const struct iovec *pieces, int n)
{
    SM_PASS(readv, fd, pieces, n);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    if (!ready_to_read(fd, &event))
        return sm_io_end(&event, -1);
    ssize_t result = SM_REAL(readv)(fd, pieces, n);
    sm_aside_parts(SM_EV_STORE, pieces, (size_t)n, result, SM_CALLER());
    sm_fds_changed();
    return came(fd, &event, result, SM_CALLER());
}

/* MSG_WAITALL: libc's call would block in the kernel for the rest. */
static ssize_t receive_all(int fd, char *buffer, size_t size, int flags, struct sm_event *event)
{
    size_t done = 0;
    while (done < size) {
        if (!ready_to_read(fd, event))
            return done ? (ssize_t)done : -1;
        ssize_t n = SM_REAL(recv)(fd, buffer + done, size - done, flags & ~MSG_WAITALL);
        sm_fds_changed();
        if (n <= 0)
            return done ? (ssize_t)done : n;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static ssize_t receive(int fd, void *buffer, size_t size, int flags, struct sockaddr *from,
                       socklen_t *length, void *pc)
{
    struct sm_event event = sm_io_begin_use(fd, pc);
    if (flags & MSG_WAITALL && !(flags & (MSG_DONTWAIT | MSG_PEEK)) && !from)
        return came(fd, &event,
                    show_filled(buffer, receive_all(fd, buffer, size, flags, &event), pc), pc);
    if (!(flags & MSG_DONTWAIT) && !ready_to_read(fd, &event))
        return sm_io_end(&event, -1);
    socklen_t room = from ? *length : 0;
    ssize_t result = SM_REAL(recvfrom)(fd, buffer, size, flags, from, length);
    if (from && result >= 0)
        sm_port_show(from, *length < room ? *length : room);
    show_filled(buffer, result > (ssize_t)size ? (ssize_t)size : result, pc);
    sm_fds_changed();
    return came(fd, &event, result, pc);
}

SM_EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    SM_PASS(recv, fd, buffer, size, flags);
    return receive(fd, buffer, size, flags, NULL, NULL, SM_CALLER());
}

SM_EXPORT ssize_t recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *from,
                           socklen_t *length)
{
    SM_PASS(recvfrom, fd, buffer, size, flags, from, length);
    return receive(fd, buffer, size, flags, from, length, SM_CALLER());
}

SM_EXPORT ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags)
{
    if (!sm_self() || size > room)
        return SM_REAL(__recv_chk)(fd, buffer, size, room, flags);
    return receive(fd, buffer, size, flags, NULL, NULL, SM_CALLER());
}

SM_EXPORT ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags,
                                 struct sockaddr *from, socklen_t *length)
{
    if (!sm_self() || size > room)
        return SM_REAL(__recvfrom_chk)(fd, buffer, size, room, flags, from, length);
    return receive(fd, buffer, size, flags, from, length, SM_CALLER());
}

SM_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    SM_PASS(recvmsg, fd, message, flags);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    if (!(flags & MSG_DONTWAIT) && !ready_to_read(fd, &event))
        return sm_io_end(&event, -1);
    socklen_t room = message->msg_namelen;
    ssize_t result = SM_REAL(recvmsg)(fd, message, flags);
    if (result >= 0)
        sm_fds_exchanged(fd, message);
    if (message->msg_name && result >= 0)
        sm_port_show(message->msg_name, message->msg_namelen < room ? message->msg_namelen : room);
    sm_aside_parts(SM_EV_STORE, message->msg_iov, message->msg_iovlen, result, SM_CALLER());
    sm_fds_changed();
    return came(fd, &event, result, SM_CALLER());
}

SM_EXPORT int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    SM_PASS(accept4, fd, address, length, flags);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    if (!ready_to_read(fd, &event))
        return (int)sm_io_end(&event, -1);
    socklen_t room = address ? *length : 0;
    int result = sm_io_opened(SM_REAL(accept4)(fd, address, length, flags));
    if (address && result >= 0)
        sm_port_show(address, *length < room ? *length : room);
    sm_fds_changed();
    return (int)came(fd, &event, result, SM_CALLER());
}

SM_EXPORT int accept(int fd, struct sockaddr *address, socklen_t *length)
{
    SM_PASS(accept, fd, address, length);
    return accept4(fd, address, length, 0);
}

/* ---- writing ---- */

/* How a descriptor accepts more data than it has room for. */
enum write_sink { SINK_WHOLE, SINK_PIPE, SINK_STREAM };

static enum write_sink sink_of(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || sm_io_nonblocking(fd))
        return SINK_WHOLE;
    if (S_ISFIFO(status.st_mode))
        return SINK_PIPE;
    int type = 0;
    socklen_t size = sizeof type;
    if (S_ISSOCK(status.st_mode) &&
        sm_syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_TYPE, &type, &size) == 0 &&
        type == SOCK_STREAM)
        return SINK_STREAM;
    return SINK_WHOLE;
}

static bool ready_to_write(int fd, struct sm_event *event)
{
    return sm_io_is_ready(fd, POLLOUT) ||
           sm_io_ready(fd, POLLOUT, socket_deadline(fd, SO_SNDTIMEO), event);
}

/* One piece that cannot block after a successful poll: a pipe then has room for PIPE_BUF bytes, a
   socket takes what it can. */
static ssize_t write_piece(enum write_sink sink, int fd, const char *data, size_t size, int flags)
{
    if (sink == SINK_PIPE)
        return SM_REAL(write)(fd, data, size < PIPE_BUF ? size : PIPE_BUF);
    return SM_REAL(send)(fd, data, size, flags | MSG_DONTWAIT);
}

static ssize_t write_all(enum write_sink sink, int fd, const char *data, size_t size, int flags,
                         struct sm_event *event)
{
    size_t done = 0;
    unsigned tries = 0;
    do {
        if (!ready_to_write(fd, event))
            return done ? (ssize_t)done : -1;
        ssize_t n = write_piece(sink, fd, data + done, size - done, flags);
        sm_fds_changed();
        if (n < 0 && errno == EAGAIN && sm_io_retry(&tries, event))
            continue;
        if (n < 0)
            return done ? (ssize_t)done : -1;
        done += (size_t)n;
    } while (done < size);
    return (ssize_t)done;
}

static ssize_t written(struct sm_event *event, ssize_t result)
{
    sm_fds_changed();
    sm_io_end(event, result);
    int error = errno;
    if (result < 0 && error == EPIPE && sm_signals_waiting)
        sm_signals_deliver(sm_self());
    errno = error;
    return result;
}

SM_EXPORT ssize_t write(int fd, const void *data, size_t size)
{
    SM_PASS(write, fd, data, size);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    sm_aside(SM_EV_LOAD, data, size, SM_CALLER());
    sm_fd_gives(fd, SM_CALLER());
    enum write_sink sink = sink_of(fd);
    if (sink != SINK_WHOLE)
        return written(&event, write_all(sink, fd, data, size, 0, &event));
    if (!ready_to_write(fd, &event))
        return sm_io_end(&event, -1);
    return written(&event, SM_REAL(write)(fd, data, size));
}

static size_t total_size(const struct iovec *pieces, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += pieces[i].iov_len;
    return total;
}

static ssize_t write_pieces(enum write_sink sink, int fd, const struct iovec *pieces, size_t n,
                            int flags, struct sm_event *event)
{
    ssize_t done = 0;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].iov_len == 0)
            continue;
        ssize_t result = write_all(sink, fd, pieces[i].iov_base, pieces[i].iov_len, flags, event);
        if (result < 0)
            return done ? done : result;
        done += result;
        if ((size_t)result < pieces[i].iov_len)
            break;
    }
    return done;
}

SM_EXPORT ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    SM_PASS(writev, fd, pieces, n);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    sm_aside_parts(SM_EV_LOAD, pieces, n > 0 ? (size_t)n : 0, SSIZE_MAX, SM_CALLER());
    sm_fd_gives(fd, SM_CALLER());
    enum write_sink sink = n > 0 && n <= IOV_MAX ? sink_of(fd) : SINK_WHOLE;
    /* Up to PIPE_BUF bytes are written in one call, so that they are not interleaved. */
    if (sink != SINK_WHOLE && total_size(pieces, (size_t)n) > PIPE_BUF)
        return written(&event, write_pieces(sink, fd, pieces, (size_t)n, 0, &event));
    if (!ready_to_write(fd, &event))
        return sm_io_end(&event, -1);
    return written(&event, SM_REAL(writev)(fd, pieces, n));
}

static ssize_t controlled_send(int fd, const void *data, size_t size, int flags,
                               const struct sockaddr *to, socklen_t length, void *pc)
{
    struct sm_event event = sm_io_begin_use(fd, pc);
    sm_aside(SM_EV_LOAD, data, size, pc);
    sm_fd_gives(fd, pc);
    if (!(flags & MSG_DONTWAIT)) {
        if (!to && sink_of(fd) == SINK_STREAM)
            return written(&event, write_all(SINK_STREAM, fd, data, size, flags, &event));
        if (!ready_to_write(fd, &event))
            return sm_io_end(&event, -1);
    }
    struct sockaddr_storage copy;
    sm_port_named(to, length);
    to = sm_port_meant(to, length, &copy);
    return written(&event, SM_REAL(sendto)(fd, data, size, flags, to, length));
}

SM_EXPORT ssize_t sendto(int fd, const void *data, size_t size, int flags,
                         const struct sockaddr *to, socklen_t length)
{
    SM_PASS(sendto, fd, data, size, flags, to, length);
    return controlled_send(fd, data, size, flags, to, length, SM_CALLER());
}

SM_EXPORT ssize_t send(int fd, const void *data, size_t size, int flags)
{
    SM_PASS(send, fd, data, size, flags);
    return controlled_send(fd, data, size, flags, NULL, 0, SM_CALLER());
}

SM_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    SM_PASS(sendmsg, fd, message, flags);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    sm_aside_parts(SM_EV_LOAD, message->msg_iov, message->msg_iovlen, SSIZE_MAX, SM_CALLER());
    sm_fds_exchanged(fd, message);
    sm_fd_gives(fd, SM_CALLER());
    if (!(flags & MSG_DONTWAIT)) {
        if (!message->msg_control && !message->msg_name && sink_of(fd) == SINK_STREAM)
            return written(&event, write_pieces(SINK_STREAM, fd, message->msg_iov,
                                                message->msg_iovlen, flags, &event));
        if (!ready_to_write(fd, &event))
            return sm_io_end(&event, -1);
    }
    struct sockaddr_storage copy;
    struct msghdr meant = *message;
    sm_port_named(meant.msg_name, meant.msg_namelen);
    meant.msg_name = (void *)sm_port_meant(meant.msg_name, meant.msg_namelen, &copy);
    return written(&event, SM_REAL(sendmsg)(fd, &meant, flags));
}

/* Runs a call on fd as if the program had made the descriptor non-blocking. */
#define WITHOUT_BLOCKING(fd, call)                                                                 \
    ({                                                                                             \
        long flags_ = sm_syscall(SYS_fcntl, (long)(fd), (long)F_GETFL);                            \
        sm_syscall(SYS_fcntl, (long)(fd), (long)F_SETFL, flags_ | O_NONBLOCK);                     \
        __typeof__(call) result_ = call;                                                           \
        sm_syscall(SYS_fcntl, (long)(fd), (long)F_SETFL, flags_);                                  \
        result_;                                                                                   \
    })

/* Sends what fits, at least something: the caller must expect a short count. */
static ssize_t send_some(int to, int from, off_t *offset, size_t size, struct sm_event *event)
{
    unsigned tries = 0;
    ssize_t result;
    do {
        if (!ready_to_write(to, event))
            return -1;
        result = WITHOUT_BLOCKING(to, SM_REAL(sendfile)(to, from, offset, size));
    } while (result < 0 && errno == EAGAIN && sm_io_retry(&tries, event));
    return result;
}

SM_EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t size)
{
    SM_PASS(sendfile, to, from, offset, size);
    struct sm_event event = sm_io_begin_use(to, SM_CALLER());
    sm_fd_gives(to, SM_CALLER());
    return written(&event, sm_io_nonblocking(to) ? SM_REAL(sendfile)(to, from, offset, size)
                                                 : send_some(to, from, offset, size, &event));
}
SM_EXPORT ssize_t sendfile64(int to, int from, off_t *offset, size_t size)
    __attribute__((alias("sendfile")));

/* Several messages are as many calls: none blocks while others are on their way. */
SM_EXPORT int sendmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    SM_PASS(sendmmsg, fd, messages, n, flags);
    unsigned done = 0;
    for (; done < n; done++) {
        ssize_t size = sendmsg(fd, &messages[done].msg_hdr, flags);
        if (size < 0)
            break;
        messages[done].msg_len = (unsigned)size;
    }
    return done || !n ? (int)done : -1;
}

/* The kernel looks at the time limit after a message only. Time does not pass here. */
SM_EXPORT int recvmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags,
                       struct timespec *limit)
{
    SM_PASS(recvmmsg, fd, messages, n, flags, limit);
    unsigned done = 0;
    for (; done < n; done++) {
        bool waits = done == 0 || !(flags & MSG_WAITFORONE);
        int each = (flags & ~MSG_WAITFORONE) | (waits ? 0 : MSG_DONTWAIT);
        ssize_t size = recvmsg(fd, &messages[done].msg_hdr, each);
        if (size < 0)
            break;
        messages[done].msg_len = (unsigned)size;
    }
    return done || !n ? (int)done : -1;
}

/* ---- pipes without copies ---- */

static bool ready_to_move(int from, int to, unsigned flags, struct sm_event *event)
{
    return flags & SPLICE_F_NONBLOCK || (ready_to_read(from, event) && ready_to_write(to, event));
}

static ssize_t moved(int from, struct sm_event *event, ssize_t result, void *pc)
{
    sm_fds_changed();
    return came(from, event, result, pc);
}

/* What is sent on is ordered after what was taken: the edges of both ends come in that order. */
SM_EXPORT ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size,
                         unsigned flags)
{
    SM_PASS(splice, from, from_offset, to, to_offset, size, flags);
    struct sm_event event = sm_io_begin_use(from, SM_CALLER());
    if (!ready_to_move(from, to, flags, &event))
        return sm_io_end(&event, -1);
    sm_fd_takes(from, SM_CALLER());
    sm_fd_gives(to, SM_CALLER());
    return moved(from, &event, SM_REAL(splice)(from, from_offset, to, to_offset, size, flags),
                 SM_CALLER());
}

SM_EXPORT ssize_t tee(int from, int to, size_t size, unsigned flags)
{
    SM_PASS(tee, from, to, size, flags);
    struct sm_event event = sm_io_begin_use(from, SM_CALLER());
    if (!ready_to_move(from, to, flags, &event))
        return sm_io_end(&event, -1);
    sm_fd_takes(from, SM_CALLER());
    sm_fd_gives(to, SM_CALLER());
    return moved(from, &event, SM_REAL(tee)(from, to, size, flags), SM_CALLER());
}

SM_EXPORT ssize_t vmsplice(int fd, const struct iovec *parts, size_t n, unsigned flags)
{
    SM_PASS(vmsplice, fd, parts, n, flags);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    if ((sm_syscall(SYS_fcntl, (long)fd, (long)F_GETFL) & O_ACCMODE) == O_RDONLY) {
        if (!(flags & SPLICE_F_NONBLOCK) && !ready_to_read(fd, &event))
            return sm_io_end(&event, -1);
        return moved(fd, &event, SM_REAL(vmsplice)(fd, parts, n, flags), SM_CALLER());
    }
    sm_aside_parts(SM_EV_LOAD, parts, n, SSIZE_MAX, SM_CALLER());
    sm_fd_gives(fd, SM_CALLER());
    if (!(flags & SPLICE_F_NONBLOCK) && !ready_to_write(fd, &event))
        return sm_io_end(&event, -1);
    return written(&event, SM_REAL(vmsplice)(fd, parts, n, flags));
}

/* ---- the rest of sockets ---- */

/* Connects without blocking; then waits for the connection. */
static int connect_patiently(int fd, const struct sockaddr *address, socklen_t length,
                             struct sm_event *event)
{
    unsigned tries = 0;
    int result;
    do {
        result = WITHOUT_BLOCKING(fd, SM_REAL(connect)(fd, address, length));
        sm_fds_changed();
        /* a local socket with a full backlog returns EAGAIN, and poll does not help */
    } while (result < 0 && errno == EAGAIN && sm_io_retry(&tries, event));
    if (result == 0 || errno != EINPROGRESS)
        return result;
    if (!ready_to_write(fd, event))
        return -1;
    int error = 0;
    socklen_t size = sizeof error;
    sm_syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_ERROR, &error, &size);
    errno = error;
    return error ? -1 : 0;
}

SM_EXPORT int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    SM_PASS(connect, fd, address, length);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    struct sockaddr_storage copy;
    sm_port_named(address, length);
    address = sm_port_meant(address, length, &copy);
    sm_fd_gives(fd, SM_CALLER());
    int result = sm_io_nonblocking(fd) ? SM_REAL(connect)(fd, address, length)
                                       : connect_patiently(fd, address, length, &event);
    if (result == 0 || errno == EINPROGRESS)
        sm_port_connected(fd);
    sm_fds_changed();
    return (int)sm_io_end(&event, result);
}

SM_EXPORT int listen(int fd, int backlog)
{
    SM_PASS(listen, fd, backlog);
    int result = SM_REAL(listen)(fd, backlog);
    sm_fds_changed();
    return result;
}

SM_EXPORT int shutdown(int fd, int how)
{
    SM_PASS(shutdown, fd, how);
    struct sm_event event = sm_io_begin_use(fd, SM_CALLER());
    sm_fd_gives(fd, SM_CALLER());
    long result = SM_REAL(shutdown)(fd, how);
    sm_fds_changed();
    return (int)sm_io_end(&event, result);
}

/* ---- eventfd: libc's helpers call the kernel directly ---- */

SM_EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    SM_PASS(eventfd_read, fd, value);
    return controlled_read(fd, value, sizeof *value, SM_CALLER()) == sizeof *value ? 0 : -1;
}

SM_EXPORT int eventfd_write(int fd, eventfd_t value)
{
    SM_PASS(eventfd_write, fd, value);
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

/* ---- streams ---- */

/* While a thread holds a stream's lock no other thread runs, unless it blocks: the others would
   wait for the lock inside libc, and block the process. The lock is recursive and libc's, so the
   trace shows what it orders, not its holder. */
static void stream_locked(struct sm_thread *self, FILE *stream, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_HAPPENS_AFTER, stream, 0, pc);
    sm_sync(&event);
    self->no_switch++;
}

SM_EXPORT void flockfile(FILE *stream)
{
    struct sm_thread *self = sm_self();
    if (self) {
        struct sm_event event = sm_sync_event(SM_EV_HAPPENS_AFTER, stream, 0, SM_CALLER());
        sm_point(&event);
    }
    SM_REAL(flockfile)(stream);
    if (self)
        stream_locked(self, stream, SM_CALLER());
}

SM_EXPORT int ftrylockfile(FILE *stream)
{
    int result = SM_REAL(ftrylockfile)(stream);
    struct sm_thread *self = sm_self();
    if (self && result == 0)
        stream_locked(self, stream, SM_CALLER());
    return result;
}

SM_EXPORT void funlockfile(FILE *stream)
{
    struct sm_thread *self = sm_self();
    if (self) {
        struct sm_event event = sm_sync_event(SM_EV_HAPPENS_BEFORE, stream, 0, SM_CALLER());
        sm_sync(&event);
    }
    SM_REAL(funlockfile)(stream);
    if (self && self->no_switch)
        self->no_switch--;
}
