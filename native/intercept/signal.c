/*
 * signal.c - signal handlers: they happen after their installation and after the sending of the
 * signal.
 *
 * The kernel calls on_signal, which calls the program's handler. sigaction returns to the program
 * what it set itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>

#include "core/libc/real.h"
#include "native/epoch.h"
#include "native/intercept/message.h"
#include "native/signals.h"

enum { HIGHEST = 64 };
/* The program's own handlers. Written before the kernel gets to know of the handler. */
static struct sigaction actions[HIGHEST + 1];

static bool is_fault(const siginfo_t *info)
{
    switch (info->si_signo) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
        return info->si_code > 0;
    default:
        return false;
    }
}

static bool has_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* A handler with one parameter may be called with three. */
static void on_signal(int signo, siginfo_t *info, void *context)
{
    struct sm_detect_thread *thread = sm_current;
    if (thread && thread->busy && !is_fault(info) && sm_signal_defer(thread, info))
        return;
    void (*handler)(int, siginfo_t *, void *) =
        __atomic_load_n(&actions[signo].sa_sigaction, __ATOMIC_ACQUIRE);
    if (actions[signo].sa_flags & (int)SA_RESETHAND)
        SM_REAL(signal)(signo, SIG_DFL);
    sm_signal_takes(signo);
    handler(signo, info, context);
}

/* SA_RESETHAND is implemented by on_signal: the kernel would reset the handler at delivery, and a
   deferred signal would then be sent again without one. */
static int install(int signo, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction ours = *action;
    ours.sa_sigaction = on_signal;
    ours.sa_flags = (int)(((unsigned)action->sa_flags | SA_SIGINFO) & ~SA_RESETHAND);
    actions[signo].sa_flags = action->sa_flags;
    actions[signo].sa_mask = action->sa_mask;
    __atomic_store_n(&actions[signo].sa_sigaction, action->sa_sigaction, __ATOMIC_RELEASE);
    return SM_REAL(sigaction)(signo, &ours, old);
}

SM_EXPORT int sigaction(int signo, const struct sigaction *action, struct sigaction *old)
{
    if (signo < 1 || signo > HIGHEST || signo == SIGKILL || signo == SIGSTOP)
        return SM_REAL(sigaction)(signo, action, old);
    struct sigaction before = actions[signo];
    bool ours = action && has_handler(action);
    if (ours)
        sm_signal_gives(signo);
    int result = ours ? install(signo, action, old) : SM_REAL(sigaction)(signo, action, old);
    if (result == 0 && old && old->sa_sigaction == on_signal)
        *old = before;
    return result;
}

static sighandler_t set_handler(int signo, sighandler_t handler, unsigned flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)flags}, before;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return sigaction(signo, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

SM_EXPORT sighandler_t signal(int signo, sighandler_t handler)
{
    return set_handler(signo, handler, SA_RESTART);
}

SM_EXPORT sighandler_t __sysv_signal(int signo, sighandler_t handler)
{
    return set_handler(signo, handler, SA_RESETHAND | SA_NODEFER);
}
