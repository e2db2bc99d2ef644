#define _GNU_SOURCE
#include "runtime/intercept/signalfd.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"

struct signals {
    struct signals *next;
    int fd;
    sigset_t set;
    bool readable;
};
static struct signals *all;

static struct signals *find(int fd)
{
    struct signals *signals = all;
    while (signals && signals->fd != fd)
        signals = signals->next;
    return signals;
}

bool sm_is_signalfd(int fd)
{
    return find(fd);
}

static void update(struct signals *signals)
{
    uint64_t one = 1;
    bool pending = sm_signal_is_pending(&signals->set);
    if (pending == signals->readable)
        return;
    signals->readable = pending;
    sm_syscall(pending ? SYS_write : SYS_read, (long)signals->fd, &one, sizeof one);
    sm_fds_changed();
}

void sm_signalfds_update(void)
{
    for (struct signals *signals = all; signals; signals = signals->next)
        update(signals);
}

void sm_signalfds_give(int signo, void *pc)
{
    for (const struct signals *signals = all; signals; signals = signals->next)
        if (sigismember(&signals->set, signo) == 1)
            sm_fd_gives(signals->fd, pc);
}

void sm_signalfd_close(int fd)
{
    for (struct signals **at = &all; *at; at = &(*at)->next) {
        struct signals *signals = *at;
        if (signals->fd != fd)
            continue;
        *at = signals->next;
        sm_free(signals, sizeof *signals);
        return;
    }
}

SM_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
    SM_PASS(signalfd, fd, set, flags);
    _Static_assert(SFD_NONBLOCK == EFD_NONBLOCK && SFD_CLOEXEC == EFD_CLOEXEC, "same flags");
    struct signals *signals = find(fd);
    if (fd != -1 && !signals) {
        errno = EINVAL;
        return -1;
    }
    if (!signals) {
        if ((fd = eventfd(0, flags)) < 0)
            return -1;
        signals = sm_alloc(sizeof *signals);
        *signals = (struct signals){.next = all, .fd = fd};
        all = signals;
    }
    signals->set = *set;
    update(signals);
    return fd;
}

/* ---- reading ---- */

static struct signalfd_siginfo told(const siginfo_t *info)
{
    struct signalfd_siginfo out = {.ssi_signo = (uint32_t)info->si_signo,
                                   .ssi_errno = info->si_errno,
                                   .ssi_code = info->si_code};
    if (info->si_code == SI_TIMER) {
        out.ssi_tid = (uint32_t)info->si_timerid;
        out.ssi_overrun = (uint32_t)info->si_overrun;
    } else {
        out.ssi_pid = (uint32_t)info->si_pid;
        out.ssi_uid = info->si_uid;
    }
    if (info->si_signo == SIGCHLD) {
        out.ssi_status = info->si_status;
        out.ssi_utime = (uint64_t)info->si_utime;
        out.ssi_stime = (uint64_t)info->si_stime;
    } else {
        out.ssi_int = info->si_int;
        out.ssi_ptr = (uint64_t)info->si_ptr;
    }
    return out;
}

static void put(struct signalfd_siginfo *to, const siginfo_t *info, void *pc)
{
    struct sm_event sent = sm_sync_event(SM_EV_HAPPENS_AFTER, NULL, (uint64_t)info->si_signo, pc);
    sm_sync(&sent);
    *to = told(info);
}

ssize_t sm_signalfd_read(int fd, void *buffer, size_t size, struct sm_event *event, void *pc)
{
    struct signalfd_siginfo *to = buffer;
    const size_t room = size / sizeof *to;
    const sigset_t set = find(fd)->set; /* it may be closed meanwhile */
    siginfo_t info;
    size_t n = 0;
    errno = room ? EAGAIN : EINVAL;
    if (!room)
        return -1;
    while (!sm_signal_take(&set, &info))
        if (sm_io_nonblocking(fd) || !sm_signal_await(&set, event))
            return -1;
    do
        put(&to[n++], &info, pc);
    while (n < room && sm_signal_take(&set, &info));
    return (ssize_t)(n * sizeof *to);
}
