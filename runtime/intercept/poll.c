/*
 * poll.c - waiting for several descriptors: poll, select, epoll.
 *
 * A set of descriptors is waited for through an epoll descriptor that holds it, which is ready
 * when one of them is. The program's own epoll descriptors are waited for directly. Time-outs are
 * virtual.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "core/libc/ready.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"

/* ---- waiting for a set ---- */

static void add(int set, const struct pollfd *poll_fd)
{
    struct epoll_event event = {.events = (uint32_t)(unsigned short)poll_fd->events};
    if (poll_fd->fd < 0)
        return;
    if (sm_syscall(SYS_epoll_ctl, (long)set, (long)EPOLL_CTL_ADD, (long)poll_fd->fd, &event) !=
        -EEXIST)
        return;
    /* The same descriptor twice: waits for the events of both. */
    event.events |= EPOLLIN | EPOLLOUT | EPOLLPRI;
    sm_syscall(SYS_epoll_ctl, (long)set, (long)EPOLL_CTL_MOD, (long)poll_fd->fd, &event);
}

static int make_set(const struct pollfd *fds, nfds_t n)
{
    long set = sm_syscall(SYS_epoll_create1, (long)EPOLL_CLOEXEC);
    if (set < 0)
        sm_refuse("no descriptor left to wait with; raise the limit: ulimit -n");
    set = sm_io_private_fd((int)set);
    for (nfds_t i = 0; i < n; i++)
        add((int)set, &fds[i]);
    return (int)set;
}

/* One wait for a set that is not ready: 1 to poll again, 0 on timeout, -1 with errno EINTR. These
   calls never restart, whatever the handler's SA_RESTART says. */
static int wait_for_set(const struct pollfd *fds, nfds_t n, uint64_t deadline,
                        struct sm_event *event)
{
    struct sm_thread *self = sm_self();
    uint32_t handlers = self->handlers_run;
    enum sm_wake_reason reason;
    if (n == 0) {
        struct sm_wait wait = {.what = "signal", .deadline = deadline, .interruptible = true};
        reason = sm_block(&wait, event);
    } else {
        int set = make_set(fds, n);
        reason = sm_block_fd(set, POLLIN, deadline, event);
        sm_syscall(SYS_close, (long)set);
    }
    if (reason == SM_TIMED_OUT)
        return 0;
    if (reason == SM_SIGNALLED)
        sm_signals_interrupted(self);
    if (self->handlers_run == handlers)
        return 1;
    errno = EINTR;
    return -1;
}

static int poll_patiently(struct pollfd *fds, nfds_t n, uint64_t deadline, struct sm_event *event)
{
    for (;;) {
        int ready = SM_REAL(poll)(fds, n, 0);
        if (ready != 0 || deadline <= sm_now())
            return ready;
        int more = wait_for_set(fds, n, deadline, event);
        if (more < 0)
            return -1;
        if (more == 0) /* polls a last time, like the kernel */
            return SM_REAL(poll)(fds, n, 0);
    }
}

/* What made the descriptors ready comes before. */
static void take_ready(const struct pollfd *fds, nfds_t n, void *pc)
{
    for (nfds_t i = 0; i < n; i++)
        if (sm_poll_tells(&fds[i]))
            sm_fd_takes(fds[i].fd, pc);
}

/* ---- poll ---- */

static int end_poll(struct sm_event *event, const struct pollfd *fds, nfds_t n, int result,
                    void *pc)
{
    if (result > 0)
        take_ready(fds, n, pc);
    return (int)sm_io_end(event, result);
}

static int masked_poll(struct pollfd *fds, nfds_t n, uint64_t deadline, const sigset_t *mask,
                       struct sm_event *event)
{
    struct sm_thread *self = sm_self();
    uint32_t handlers = self->handlers_run;
    sigset_t before;
    sm_signals_mask(self, mask, &before);
    int result = -1;
    if (self->handlers_run != handlers)
        errno = EINTR;
    else
        result = poll_patiently(fds, n, deadline, event);
    int error = errno;
    sm_signals_unmask(self, &before);
    errno = error;
    return result;
}

static int controlled_poll(struct pollfd *fds, nfds_t n, int timeout, void *pc)
{
    struct sm_event event = sm_io_begin((long)n, pc);
    uint64_t deadline = sm_io_deadline_ms(timeout);
    return end_poll(&event, fds, n, poll_patiently(fds, n, deadline, &event), pc);
}

static int controlled_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                            const sigset_t *mask, void *pc)
{
    struct sm_event event = sm_io_begin((long)n, pc);
    uint64_t deadline = sm_io_deadline(timeout);
    return end_poll(&event, fds, n, masked_poll(fds, n, deadline, mask, &event), pc);
}

SM_EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    SM_PASS(poll, fds, n, timeout);
    return controlled_poll(fds, n, timeout, SM_CALLER());
}

SM_EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                    const sigset_t *mask)
{
    SM_PASS(ppoll, fds, n, timeout, mask);
    return controlled_ppoll(fds, n, timeout, mask, SM_CALLER());
}

/* Called by fortified programs; the check itself is libc's. */
SM_EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room)
{
    if (!sm_self() || room / sizeof *fds < n)
        return SM_REAL(__poll_chk)(fds, n, timeout, room);
    return controlled_poll(fds, n, timeout, SM_CALLER());
}

SM_EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                          const sigset_t *mask, size_t room)
{
    if (!sm_self() || room / sizeof *fds < n)
        return SM_REAL(__ppoll_chk)(fds, n, timeout, mask, room);
    return controlled_ppoll(fds, n, timeout, mask, SM_CALLER());
}

/* ---- select ---- */

struct sets {
    fd_set *read, *write, *except;
};

static short wanted(const struct sets *sets, int fd)
{
    return (short)((sets->read && FD_ISSET(fd, sets->read) ? POLLIN : 0) |
                   (sets->write && FD_ISSET(fd, sets->write) ? POLLOUT : 0) |
                   (sets->except && FD_ISSET(fd, sets->except) ? POLLPRI : 0));
}

static nfds_t to_polls(const struct sets *sets, int n, struct pollfd *fds)
{
    nfds_t used = 0;
    for (int fd = 0; fd < n; fd++) {
        short events = wanted(sets, fd);
        if (events)
            fds[used++] = (struct pollfd){.fd = fd, .events = events};
    }
    return used;
}

static int keep(fd_set *set, const struct pollfd *poll_fd, short asked, short seen)
{
    if (!(poll_fd->events & asked))
        return 0;
    if (poll_fd->revents & seen)
        return 1;
    FD_CLR(poll_fd->fd, set);
    return 0;
}

static int from_polls(const struct sets *sets, const struct pollfd *fds, nfds_t n)
{
    int bits = 0;
    for (nfds_t i = 0; i < n; i++) {
        if (fds[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
        bits += keep(sets->read, &fds[i], POLLIN, POLLIN | POLLHUP | POLLERR);
        bits += keep(sets->write, &fds[i], POLLOUT, POLLOUT | POLLERR);
        bits += keep(sets->except, &fds[i], POLLPRI, POLLPRI);
    }
    return bits;
}

static int controlled_select(int n, const struct sets *sets, uint64_t deadline,
                             const sigset_t *mask, struct sm_event *event, void *pc)
{
    struct pollfd fds[FD_SETSIZE];
    if (n < 0) {
        errno = EINVAL;
        return -1;
    }
    nfds_t used = to_polls(sets, n < FD_SETSIZE ? n : FD_SETSIZE, fds);
    if (masked_poll(fds, used, deadline, mask, event) < 0)
        return -1;
    take_ready(fds, used, pc);
    return from_polls(sets, fds, used);
}

SM_EXPORT int select(int n, fd_set *readable, fd_set *writable, fd_set *exceptional,
                     struct timeval *timeout)
{
    SM_PASS(select, n, readable, writable, exceptional, timeout);
    struct sm_event event = sm_io_begin(n, SM_CALLER());
    uint64_t deadline = SM_NO_DEADLINE;
    if (timeout)
        deadline = sm_io_deadline(
            &(struct timespec){.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000});
    struct sets sets = {readable, writable, exceptional};
    int result = controlled_select(n, &sets, deadline, NULL, &event, SM_CALLER());
    if (timeout) { /* Linux returns the time not slept */
        uint64_t left = deadline > sm_now() ? deadline - sm_now() : 0;
        timeout->tv_sec = (time_t)(left / 1000000000);
        timeout->tv_usec = (suseconds_t)(left % 1000000000 / 1000);
    }
    return (int)sm_io_end(&event, result);
}

SM_EXPORT int pselect(int n, fd_set *readable, fd_set *writable, fd_set *exceptional,
                      const struct timespec *timeout, const sigset_t *mask)
{
    SM_PASS(pselect, n, readable, writable, exceptional, timeout, mask);
    struct sm_event event = sm_io_begin(n, SM_CALLER());
    struct sets sets = {readable, writable, exceptional};
    uint64_t deadline = sm_io_deadline(timeout);
    return (int)sm_io_end(&event, controlled_select(n, &sets, deadline, mask, &event, SM_CALLER()));
}

/* ---- epoll ---- */

/* What epoll_ctl registered is there when a wait returns it, and so is what made it ready. */
static int end_epoll(struct sm_event *event, int fd, int result, void *pc)
{
    sm_io_end(event, result);
    if (result > 0) {
        sm_fd_takes(fd, pc);
        sm_watched_take(pc);
    }
    return result;
}

static int epoll_patiently(int fd, struct epoll_event *events, int room, uint64_t deadline,
                           struct sm_event *event)
{
    for (;;) {
        int ready = SM_REAL(epoll_wait)(fd, events, room, 0);
        if (ready != 0 || deadline <= sm_now())
            return ready;
        struct sm_thread *self = sm_self();
        uint32_t handlers = self->handlers_run;
        enum sm_wake_reason reason = sm_block_fd(fd, POLLIN, deadline, event);
        if (reason == SM_TIMED_OUT)
            return SM_REAL(epoll_wait)(fd, events, room, 0);
        if (reason == SM_SIGNALLED)
            sm_signals_interrupted(self);
        if (self->handlers_run == handlers)
            continue;
        errno = EINTR;
        return -1;
    }
}

static int masked_epoll(int fd, struct epoll_event *events, int room, uint64_t deadline,
                        const sigset_t *mask, struct sm_event *event)
{
    struct sm_thread *self = sm_self();
    uint32_t handlers = self->handlers_run;
    sigset_t before;
    sm_signals_mask(self, mask, &before);
    int result = -1;
    if (self->handlers_run != handlers)
        errno = EINTR;
    else
        result = epoll_patiently(fd, events, room, deadline, event);
    int error = errno;
    sm_signals_unmask(self, &before);
    errno = error;
    return result;
}

SM_EXPORT int epoll_wait(int fd, struct epoll_event *events, int room, int timeout)
{
    SM_PASS(epoll_wait, fd, events, room, timeout);
    struct sm_event event = sm_io_begin(fd, SM_CALLER());
    uint64_t deadline = sm_io_deadline_ms(timeout);
    int ready = epoll_patiently(fd, events, room, deadline, &event);
    return end_epoll(&event, fd, ready, SM_CALLER());
}

SM_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int room, int timeout,
                          const sigset_t *mask)
{
    SM_PASS(epoll_pwait, fd, events, room, timeout, mask);
    struct sm_event event = sm_io_begin(fd, SM_CALLER());
    uint64_t deadline = sm_io_deadline_ms(timeout);
    int ready = masked_epoll(fd, events, room, deadline, mask, &event);
    return end_epoll(&event, fd, ready, SM_CALLER());
}

SM_EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int room,
                           const struct timespec *timeout, const sigset_t *mask)
{
    SM_PASS(epoll_pwait2, fd, events, room, timeout, mask);
    struct sm_event event = sm_io_begin(fd, SM_CALLER());
    uint64_t deadline = sm_io_deadline(timeout);
    int ready = masked_epoll(fd, events, room, deadline, mask, &event);
    return end_epoll(&event, fd, ready, SM_CALLER());
}

SM_EXPORT int epoll_ctl(int fd, int operation, int target, struct epoll_event *event)
{
    SM_PASS(epoll_ctl, fd, operation, target, event);
    sm_fd_watched(target);
    sm_fd_gives(fd, SM_CALLER());
    int result = SM_REAL(epoll_ctl)(fd, operation, target, event);
    sm_fds_changed();
    return result;
}
