/*
 * signals.c - see signals.h.
 */
#include "native/signals.h"

#include "base/sys.h"
#include "native/epoch.h"

enum { DEFERRED = 8 };
static __thread siginfo_t deferred[DEFERRED];

bool sm_signal_defer(struct sm_detect_thread *thread, const siginfo_t *info)
{
    if (thread->deferred == DEFERRED)
        return false;
    deferred[thread->deferred] = *info;
    thread->deferred++;
    return true;
}

/* All signals are blocked meanwhile; those sent are delivered once the mask is restored. */
void sm_signals_resend(struct sm_detect_thread *thread)
{
    uint64_t all = ~0ul, before;
    sm_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &before, sizeof all);
    for (uint32_t i = 0; i < thread->deferred; i++)
        sm_syscall(SYS_rt_tgsigqueueinfo, sm_syscall(SYS_getpid), sm_syscall(SYS_gettid),
                   (long)deferred[i].si_signo, &deferred[i]);
    thread->deferred = 0;
    sm_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &before, NULL, sizeof before);
}
