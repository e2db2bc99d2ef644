#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/engine.h"
#include "runtime/harm.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signalfd.h"
#include "runtime/intercept/signals.h"
#include "runtime/sched/sched.h"

enum { TO_PROCESS = -1 };

struct queued {
    struct queued *next;
    int64_t to; /* number of a thread, or TO_PROCESS */
    siginfo_t info;
};

/* The state of the model of signals, except each thread's mask: the program's actions, */
static struct sigaction actions[NSIG] SM_SELDOM;
static struct {
    struct queued *first; /* sent and not handled, oldest first */
    uint64_t changed;     /* dispositions set by the program: one bit each */
} state;

volatile int sm_signals_waiting;

/* Signals from outside, one bit each: set by on_arrival, cleared by sm_signals_import. */
static uint64_t arrived;
static siginfo_t arrived_info[NSIG] SM_SELDOM;

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};

static bool is_fault(int signo)
{
    for (size_t i = 0; i < SM_ARRAY_SIZE(faults); i++)
        if (faults[i] == signo)
            return true;
    return false;
}

static bool is_ignored_by_default(int signo)
{
    return signo == SIGCHLD || signo == SIGURG || signo == SIGWINCH || signo == SIGCONT;
}

static bool is_stop(int signo)
{
    return signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU;
}

static bool is_ignored(int signo)
{
    sighandler_t handler = actions[signo].sa_handler;
    return handler == SIG_IGN || (handler == SIG_DFL && is_ignored_by_default(signo));
}

static bool has_handler(int signo)
{
    sighandler_t handler = actions[signo].sa_handler;
    return handler != SIG_DFL && handler != SIG_IGN;
}

/* ---- the queue ---- */

static bool is_queued(int64_t to, int signo)
{
    for (struct queued *q = state.first; q; q = q->next)
        if (q->to == to && q->info.si_signo == signo)
            return true;
    return false;
}

static void enqueue(int64_t to, const siginfo_t *info)
{
    /* As in the kernel: a standard signal is lost while the same one is pending. */
    if (info->si_signo < SIGRTMIN && is_queued(to, info->si_signo))
        return;
    struct queued *q = sm_alloc(sizeof *q);
    q->to = to;
    q->info = *info;
    struct queued **end = &state.first;
    while (*end)
        end = &(*end)->next;
    *end = q;
    sm_signals_waiting = 1;
    sm_signalfds_update();
}

static bool is_for(const struct queued *q, const struct sm_thread *thread)
{
    return q->to == TO_PROCESS || q->to == thread->id;
}

/* The pending signal with the lowest number of those sent to `to`. */
static struct queued **lowest(int64_t to, const sigset_t *set)
{
    struct queued **best = NULL;
    for (struct queued **at = &state.first; *at; at = &(*at)->next)
        if ((*at)->to == to && sigismember(set, (*at)->info.si_signo) &&
            (!best || (*at)->info.si_signo < (*best)->info.si_signo))
            best = at;
    return best;
}

/* Takes a pending signal of `set`. As in the kernel, signals sent to the thread come before those
   sent to the process. */
static bool dequeue(const struct sm_thread *thread, const sigset_t *set, siginfo_t *info)
{
    struct queued **best = lowest(thread->id, set);
    if (!best)
        best = lowest(TO_PROCESS, set);
    if (!best)
        return false;
    struct queued *q = *best;
    *best = q->next;
    sm_signals_waiting = state.first != NULL;
    *info = q->info;
    sm_free(q, sizeof *q);
    sm_signalfds_update();
    return true;
}

bool sm_signal_is_pending(const sigset_t *set)
{
    for (const struct queued *q = state.first; q; q = q->next)
        if (sigismember(set, q->info.si_signo) == 1)
            return true;
    return false;
}

static bool dequeue_unblocked(const struct sm_thread *thread, siginfo_t *info)
{
    sigset_t set;
    sigfillset(&set);
    for (int signo = 1; signo < NSIG; signo++)
        if (sigismember(&thread->signals_blocked, signo) == 1)
            sigdelset(&set, signo);
    return dequeue(thread, &set, info);
}

/* ---- sending ---- */

static bool accepts(const struct sm_thread *thread, int signo)
{
    if (thread->state == SM_THREAD_ENDED)
        return false;
    return sigismember(&thread->signals_awaited, signo) ||
           !sigismember(&thread->signals_blocked, signo);
}

/* The receiver of a signal for the process: any thread that accepts it. */
static struct sm_thread *choose_receiver(int signo)
{
    uint32_t n = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        n += accepts(t, signo);
    if (n == 0)
        return NULL;
    uint32_t skip = sm_choose(SM_PURPOSE_WAKE, n, NULL);
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (accepts(t, signo) && skip-- == 0)
            return t;
    return NULL;
}

/* An ignored signal is dropped, unless a thread blocks it: that thread may be about to wait for it,
   or to install a handler. */
static bool is_held_back(const struct sm_thread *to, int signo)
{
    if (to)
        return sigismember(&to->signals_blocked, signo);
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state != SM_THREAD_ENDED && sigismember(&t->signals_blocked, signo))
            return true;
    return false;
}

static void wake_for(struct sm_thread *thread, int signo)
{
    if (thread->state != SM_THREAD_BLOCKED)
        return;
    if (sigismember(&thread->signals_awaited, signo))
        sm_wake_thread(thread, SM_WOKEN);
    else if (!sigismember(&thread->signals_blocked, signo))
        sm_wake_thread(thread, SM_SIGNALLED);
}

void sm_signal_send(struct sm_thread *to, const siginfo_t *info)
{
    int signo = info->si_signo;
    if (signo == 0)
        return;
    if (signo == SIGKILL)
        sm_end(SM_END_SIGNAL, SIGKILL, "the program killed itself");
    if (is_stop(signo) && actions[signo].sa_handler == SIG_DFL) {
        sm_syscall(SYS_kill, sm_syscall(SYS_getpid), (long)signo);
        return;
    }
    if (is_ignored(signo) && !is_held_back(to, signo))
        return;
    if (!to)
        to = choose_receiver(signo);
    enqueue(to ? (int64_t)to->id : TO_PROCESS, info);
    if (to)
        wake_for(to, signo);
}

/* ---- handling ---- */

static void default_action(int signo)
{
    if (is_ignored(signo))
        return;
    sm_end(SM_END_SIGNAL, signo, "killed by signal %d (%s), which has no handler", signo,
           sigdescr_np(signo) ? sigdescr_np(signo) : "real-time");
}

static void kernel_install(int signo);

/* A handler that interrupts the program anywhere must preserve errno: the thread may be about to
   read it. */
static void call(struct sm_thread *self, const struct sigaction *action, siginfo_t *info,
                 void *context)
{
    bool interrupts = self->at_any_event;
    int before = errno;
    self->at_any_event = false;
    self->interrupting += interrupts;
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(info->si_signo, info, context);
    else
        action->sa_handler(info->si_signo);
    if (self->interrupting && interrupts)
        self->interrupting--;
    struct sm_harm_place place = {.thread = self->id, .pc = (uintptr_t)action->sa_handler};
    if (interrupts && errno != before && sm_option(memory))
        sm_harm_at(SM_FAILURE_HANDLER_ERRNO, 0, &place, "a signal handler leaves errno changed");
}

/* Calls the program's handler as the kernel would: with the mask of its disposition. */
static void call_handler(struct sm_thread *self, siginfo_t *info, void *context)
{
    int signo = info->si_signo;
    struct sigaction action = actions[signo];
    sigset_t before = self->signals_blocked;
    sigorset(&self->signals_blocked, &before, &action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
        sigaddset(&self->signals_blocked, signo);
    if (action.sa_flags & SA_RESETHAND) {
        sm_seldom_touch(&actions[signo], sizeof action);
        actions[signo].sa_handler = SIG_DFL;
        kernel_install(signo);
    }
    self->handlers_run++;
    if (!(action.sa_flags & SA_RESTART))
        self->interrupted = true;
    call(self, &action, info, context);
    self->signals_blocked = before;
}

static void handle(struct sm_thread *self, siginfo_t *info)
{
    if (!has_handler(info->si_signo)) {
        default_action(info->si_signo);
        return;
    }
    sm_count(SIGNAL_DELIVERED);
    struct sm_event event = sm_sync_event(SM_EV_HANDLER, NULL, (uint64_t)info->si_signo, NULL);
    sm_sync(&event);
    ucontext_t context;
    memset(&context, 0, sizeof context);
    context.uc_sigmask = self->signals_blocked;
    call_handler(self, info, &context);
}

void sm_signals_import(void)
{
    if (SM_LIKELY(!arrived))
        return;
    /* acquire: pairs with the release in on_arrival, for arrived_info */
    uint64_t bits = __atomic_exchange_n(&arrived, 0, __ATOMIC_ACQUIRE);
    for (int signo = 1; signo < NSIG; signo++)
        if (bits >> (signo - 1) & 1)
            sm_signal_send(NULL, &arrived_info[signo]);
}

void sm_signals_deliver(struct sm_thread *self)
{
    siginfo_t info;
    while (dequeue_unblocked(self, &info))
        handle(self, &info);
}

void sm_signals_begin_call(struct sm_thread *self)
{
    self->interrupted = false;
}

bool sm_signals_interrupted(struct sm_thread *self)
{
    sm_test_cancel();
    sm_signals_deliver(self);
    return self->interrupted;
}

void sm_signals_mask(struct sm_thread *self, const sigset_t *mask, sigset_t *before)
{
    *before = self->signals_blocked;
    if (!mask)
        return;
    self->signals_blocked = *mask;
    sm_signals_deliver(self);
}

void sm_signals_unmask(struct sm_thread *self, const sigset_t *before)
{
    self->signals_blocked = *before;
    sm_signals_deliver(self);
}

/* ---- signals from the kernel ---- */

/* From outside: only recorded. The scheduler checks for it when no thread can run, and from time to
   time, so that its arrival in real time has little influence on the execution. */
static void on_arrival(int signo, siginfo_t *info, void *context)
{
    (void)context;
    int before = errno;
    sm_seldom_touch(&arrived_info[signo], sizeof *info);
    arrived_info[signo] = *info;
    /* release: the siginfo is written before the bit */
    __atomic_fetch_or(&arrived, 1ul << (signo - 1), __ATOMIC_RELEASE);
    sm_io_arrival();
    errno = before;
}

static _Noreturn void die_of(int signo)
{
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } fallback = {0};
    sm_syscall(SYS_rt_sigaction, (long)signo, &fallback, NULL, 8L);
    sm_syscall(SYS_tgkill, sm_syscall(SYS_getpid), sm_syscall(SYS_gettid), (long)signo);
    uint64_t none = 0;
    sm_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &none, NULL, 8L);
    for (;;)
        sm_syscall(SYS_exit_group, 128L + signo);
}

/* A fault of the running thread; also SIGABRT raised by libc itself. */
static void on_fault(int signo, siginfo_t *info, void *context)
{
    struct sm_thread *self = sm_self();
    if (self && has_handler(signo) && !sigismember(&self->signals_blocked, signo)) {
        call_handler(self, info, context);
        if (signo != SIGABRT) /* from which libc's abort does not return */
            return;
    }
    sm_crash(signo, info, context);
    die_of(signo);
}

/* The thread wrote to a pipe without readers, perhaps inside libc's streams. */
static void on_pipe(int signo, siginfo_t *info, void *context)
{
    (void)context;
    struct sm_thread *self = sm_self();
    if (!self)
        die_of(signo);
    if (!has_handler(signo) && !sigismember(&self->signals_blocked, signo))
        default_action(signo);
    enqueue(self->id, info);
}

static void kernel_set(int signo, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = flags};
    SM_REAL(sigaction)(signo, &action, NULL);
}

/* Installs what fits the program's disposition. Faults need the alternate stack, which makes stack
   overflows visible; a handler of the program must run on the stack that the program chose, because
   the thread may be switched in it. */
static void kernel_install(int signo)
{
    const struct sigaction *action = &actions[signo];
    if (is_fault(signo)) {
        int stack = has_handler(signo) ? action->sa_flags & SA_ONSTACK : SA_ONSTACK;
        kernel_set(signo, on_fault, SA_SIGINFO | SA_NODEFER | stack);
    } else if (signo == SIGPIPE && action->sa_handler != SIG_IGN) {
        kernel_set(signo, on_pipe, SA_SIGINFO | SA_RESTART);
    } else if (has_handler(signo) || (signo == SIGCHLD && action->sa_handler == SIG_DFL)) {
        kernel_set(signo, on_arrival,
                   SA_SIGINFO | SA_RESTART | SA_ONSTACK | (action->sa_flags & SA_NOCLDSTOP) |
                       (action->sa_flags & SA_NOCLDWAIT));
    } else {
        SM_REAL(sigaction)(signo, action, NULL);
    }
}

static bool is_reserved(int signo)
{
    return signo == SIGKILL || signo == SIGSTOP || (signo > 31 && signo < SIGRTMIN);
}

/* Does the kernel have another action than the program asked for? */
static bool is_ours(int signo)
{
    return is_fault(signo) || has_handler(signo) || signo == SIGPIPE || signo == SIGCHLD;
}

void sm_signals_install(void)
{
    sm_seldom_touch(actions, sizeof actions);
    for (int signo = 1; signo < NSIG; signo++) {
        if (is_reserved(signo) || SM_REAL(sigaction)(signo, NULL, &actions[signo]) != 0)
            continue;
        if (is_ours(signo))
            kernel_install(signo);
    }
}

uint64_t sm_signals_changed(void)
{
    return state.changed;
}

void sm_signals_reinstall(uint64_t signals)
{
    for (int signo = 1; signo < NSIG; signo++)
        if (signals >> (signo - 1) & 1)
            kernel_install(signo);
}

void sm_signals_release(const struct sm_thread *self)
{
    for (int signo = 1; signo < NSIG; signo++)
        if (!is_reserved(signo) && is_ours(signo))
            SM_REAL(sigaction)(signo, &actions[signo], NULL);
    SM_REAL(pthread_sigmask)(SIG_SETMASK, &self->signals_blocked, NULL);
}

void sm_signals_lend_mask(const struct sm_thread *self, sigset_t *before)
{
    SM_REAL(pthread_sigmask)(SIG_SETMASK, &self->signals_blocked, before);
}

void sm_signals_take_mask(const sigset_t *before)
{
    SM_REAL(pthread_sigmask)(SIG_SETMASK, before, NULL);
}

void sm_signals_abort(struct sm_thread *self)
{
    /* A handler that itself calls abort does not get here again. */
    static bool handled;
    if (!has_handler(SIGABRT) || handled)
        return;
    handled = true;
    sigdelset(&self->signals_blocked, SIGABRT);
    siginfo_t info = {.si_signo = SIGABRT, .si_code = SI_TKILL};
    handle(self, &info);
}

bool sm_signals_child_seen(void)
{
    return actions[SIGCHLD].sa_handler != SIG_IGN;
}

/* ---- dispositions ---- */

SM_EXPORT int sigaction(int signo, const struct sigaction *action, struct sigaction *old)
{
    SM_PASS(sigaction, signo, action, old);
    if (signo < 1 || signo >= NSIG || (action && is_reserved(signo))) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction before = actions[signo];
    if (action) {
        /* Everything the thread did so far happens before the handler, whichever thread runs it. */
        struct sm_event event =
            sm_sync_event(SM_EV_HAPPENS_BEFORE, NULL, (uint64_t)signo, SM_CALLER());
        sm_sync(&event);
        sm_seldom_touch(&actions[signo], sizeof *action);
        actions[signo] = *action;
        state.changed |= 1ul << (signo - 1);
        kernel_install(signo);
    }
    if (old)
        *old = before;
    return 0;
}

static sighandler_t set_handler(int signo, sighandler_t handler, int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return sigaction(signo, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

SM_EXPORT sighandler_t signal(int signo, sighandler_t handler)
{
    SM_PASS(signal, signo, handler);
    return set_handler(signo, handler, SA_RESTART);
}

SM_EXPORT sighandler_t __sysv_signal(int signo, sighandler_t handler)
{
    SM_PASS(__sysv_signal, signo, handler);
    return set_handler(signo, handler, SA_RESETHAND | SA_NODEFER);
}

/* ---- masks ---- */

static int change_mask(struct sm_thread *self, int how, const sigset_t *set)
{
    sigset_t mask = self->signals_blocked;
    for (int signo = 1; signo < NSIG; signo++) {
        bool in = sigismember(set, signo) == 1;
        if (is_reserved(signo))
            continue;
        if ((how == SIG_BLOCK && in) || (how == SIG_SETMASK && in))
            sigaddset(&mask, signo);
        else if ((how == SIG_UNBLOCK && in) || how == SIG_SETMASK)
            sigdelset(&mask, signo);
    }
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    self->signals_blocked = mask;
    return 0;
}

SM_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    SM_PASS(pthread_sigmask, how, set, old);
    struct sm_thread *self = sm_self();
    sigset_t before = self->signals_blocked;
    int error = set ? change_mask(self, how, set) : 0;
    if (!error && old)
        *old = before;
    if (!error && state.first)
        sm_signals_deliver(self);
    return error;
}

SM_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    SM_PASS(sigprocmask, how, set, old);
    int error = pthread_sigmask(how, set, old);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

SM_EXPORT int sigpending(sigset_t *set)
{
    SM_PASS(sigpending, set);
    struct sm_thread *self = sm_self();
    sm_signals_import();
    sigemptyset(set);
    for (struct queued *q = state.first; q; q = q->next)
        if (is_for(q, self) && sigismember(&self->signals_blocked, q->info.si_signo))
            sigaddset(set, q->info.si_signo);
    return 0;
}

/* ---- sending by the program ---- */

int sm_thread_tid(const struct sm_thread *thread)
{
    return SM_PID + (int)thread->id;
}

SM_EXPORT pid_t gettid(void)
{
    SM_PASS(gettid);
    sm_engine_identified(sm_self()->id);
    return sm_thread_tid(sm_self());
}

static bool is_signal(int signo)
{
    return signo >= 0 && signo < NSIG;
}

/* Sends within the program: a scheduling point, an event, and, if it is for the caller, the handler
   runs before the call returns. */
static void send_inside(struct sm_thread *to, siginfo_t *info, void *pc)
{
    struct sm_thread *self = sm_self();
    info->si_pid = getpid();
    info->si_uid = getuid();
    struct sm_event event = sm_sync_event(SM_EV_KILL, NULL, (uint64_t)info->si_signo, pc);
    sm_point(&event);
    event.value = to ? to->id : UINT64_MAX;
    sm_sync(&event);
    sm_signalfds_give(info->si_signo, pc);
    sm_signal_send(to, info);
    sm_signals_deliver(self);
}

static int bad_signal(void)
{
    errno = EINVAL;
    return -1;
}

SM_EXPORT int raise(int signo)
{
    SM_PASS(raise, signo);
    if (!is_signal(signo))
        return bad_signal();
    siginfo_t info = {.si_signo = signo, .si_code = SI_TKILL};
    send_inside(sm_self(), &info, SM_CALLER());
    return 0;
}

SM_EXPORT int kill(pid_t pid, int signo)
{
    if (!sm_self() || pid != getpid())
        return SM_REAL(kill)(sm_pid_to_signal(pid), signo);
    if (!is_signal(signo))
        return bad_signal();
    siginfo_t info = {.si_signo = signo, .si_code = SI_USER};
    send_inside(NULL, &info, SM_CALLER());
    return 0;
}

SM_EXPORT int sigqueue(pid_t pid, int signo, const union sigval value)
{
    if (!sm_self() || pid != getpid())
        return SM_REAL(sigqueue)(sm_pid_to_signal(pid), signo, value);
    if (!is_signal(signo))
        return bad_signal();
    siginfo_t info = {.si_signo = signo, .si_code = SI_QUEUE};
    info.si_value = value;
    send_inside(NULL, &info, SM_CALLER());
    return 0;
}

static int send_to_thread(struct sm_thread *to, siginfo_t *info, void *pc)
{
    if (!to)
        return ESRCH;
    if (!is_signal(info->si_signo))
        return EINVAL;
    if (to->state != SM_THREAD_ENDED)
        send_inside(to, info, pc);
    return 0;
}

SM_EXPORT int pthread_kill(pthread_t thread, int signo)
{
    SM_PASS(pthread_kill, thread, signo);
    siginfo_t info = {.si_signo = signo, .si_code = SI_TKILL};
    return send_to_thread(sm_thread_by_handle(thread), &info, SM_CALLER());
}

SM_EXPORT int pthread_sigqueue(pthread_t thread, int signo, const union sigval value)
{
    SM_PASS(pthread_sigqueue, thread, signo, value);
    siginfo_t info = {.si_signo = signo, .si_code = SI_QUEUE};
    info.si_value = value;
    return send_to_thread(sm_thread_by_handle(thread), &info, SM_CALLER());
}

SM_EXPORT int tgkill(pid_t group, pid_t tid, int signo)
{
    if (!sm_self() || group != getpid())
        return SM_REAL(tgkill)(group, tid, signo);
    siginfo_t info = {.si_signo = signo, .si_code = SI_TKILL};
    int error = send_to_thread(tid < group ? NULL : sm_thread_by_id((uint32_t)(tid - group)), &info,
                               SM_CALLER());
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* ---- waiting ---- */

static enum sm_wake_reason wait_for_signal(uint64_t deadline, struct sm_event *event)
{
    /* A child may yet send one: then we wait for the outside world. */
    if (sm_io_expects_arrival())
        return sm_io_wait_arrival(deadline, event);
    struct sm_wait wait = {.what = "signal", .deadline = deadline, .interruptible = true};
    return sm_block(&wait, event);
}

/* Waits until a handler has run. */
static int suspend_until_handler(struct sm_thread *self, void *pc)
{
    uint32_t before = self->handlers_run;
    struct sm_event event = sm_sync_event(SM_EV_WAIT, NULL, 0, pc);
    sm_signals_deliver(self);
    while (self->handlers_run == before) {
        wait_for_signal(SM_NO_DEADLINE, &event);
        sm_signals_import();
        sm_signals_interrupted(self);
    }
    sm_sync(&event);
    errno = EINTR;
    return -1;
}

SM_EXPORT int pause(void)
{
    SM_PASS(pause);
    struct sm_event event = sm_sync_event(SM_EV_WAIT, NULL, 0, SM_CALLER());
    sm_point(&event);
    return suspend_until_handler(sm_self(), SM_CALLER());
}

SM_EXPORT int sigsuspend(const sigset_t *mask)
{
    SM_PASS(sigsuspend, mask);
    struct sm_thread *self = sm_self();
    struct sm_event event = sm_sync_event(SM_EV_WAIT, NULL, 0, SM_CALLER());
    sm_point(&event);
    sigset_t before = self->signals_blocked;
    self->signals_blocked = *mask;
    int result = suspend_until_handler(self, SM_CALLER());
    sm_signals_unmask(self, &before);
    errno = EINTR;
    return result;
}

static enum sm_wake_reason wait_for_one_of(const sigset_t *set, uint64_t deadline,
                                           struct sm_event *event)
{
    struct sm_thread *self = sm_self();
    self->signals_awaited = *set;
    enum sm_wake_reason reason = wait_for_signal(deadline, event);
    sigemptyset(&self->signals_awaited);
    return reason;
}

bool sm_signal_take(const sigset_t *set, siginfo_t *info)
{
    sm_signals_import();
    return dequeue(sm_self(), set, info);
}

bool sm_signal_await(const sigset_t *set, struct sm_event *event)
{
    if (wait_for_one_of(set, SM_NO_DEADLINE, event) != SM_SIGNALLED ||
        !sm_signals_interrupted(sm_self()))
        return true;
    errno = EINTR;
    return false;
}

/* Takes a signal of the set from the queue, waiting until there is one. Returns 0, EAGAIN or EINTR.
 */
static int await(const sigset_t *set, siginfo_t *info, uint64_t deadline, void *pc)
{
    struct sm_thread *self = sm_self();
    struct sm_event event = sm_sync_event(SM_EV_WAIT, NULL, 0, pc);
    sm_point(&event);
    for (;;) {
        if (sm_signal_take(set, info))
            break;
        uint32_t before = self->handlers_run;
        enum sm_wake_reason reason = wait_for_one_of(set, deadline, &event);
        if (reason == SM_TIMED_OUT)
            return EAGAIN;
        if (reason == SM_SIGNALLED)
            sm_signals_interrupted(self);
        if (self->handlers_run != before)
            return EINTR;
    }
    event.value = (uint64_t)info->si_signo;
    sm_sync(&event);
    struct sm_event sent = sm_sync_event(SM_EV_HAPPENS_AFTER, NULL, (uint64_t)info->si_signo, pc);
    sm_sync(&sent);
    return 0;
}

SM_EXPORT int sigwait(const sigset_t *set, int *signo)
{
    SM_PASS(sigwait, set, signo);
    siginfo_t info = {0};
    while (await(set, &info, SM_NO_DEADLINE, SM_CALLER()) == EINTR)
        ; /* like glibc: sigwait restarts */
    *signo = info.si_signo;
    return 0;
}

static int await_info(const sigset_t *set, siginfo_t *info, uint64_t deadline, void *pc)
{
    siginfo_t taken;
    int error = await(set, &taken, deadline, pc);
    if (error) {
        errno = error;
        return -1;
    }
    if (info)
        *info = taken;
    return taken.si_signo;
}

SM_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    SM_PASS(sigwaitinfo, set, info);
    return await_info(set, info, SM_NO_DEADLINE, SM_CALLER());
}

SM_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    SM_PASS(sigtimedwait, set, info, timeout);
    uint64_t deadline = timeout ? sm_io_deadline(timeout) : SM_NO_DEADLINE;
    return await_info(set, info, deadline, SM_CALLER());
}

/* ---- jumps out of handlers ---- */

/* sigsetjmp saves the kernel's mask, which is not the program's. Its buffer has room for 1,024
   signals, of which 64 exist: our mask is stored in the first word and a mark in the next two, and
   siglongjmp reads it there. */
enum { MASK_WORDS = 3 };
static const unsigned long mark = 0x53544c4d41534b31ul;

struct setjmp_plan {
    void *real;
    long save_mask;
};

static bool is_marked(const struct __jmp_buf_tag *env)
{
    unsigned long words[MASK_WORDS];
    memcpy(words, &env->__saved_mask, sizeof words);
    return words[1] == mark && words[2] == ~mark;
}

__attribute__((used)) static struct setjmp_plan plan_setjmp(struct __jmp_buf_tag *env, int save)
{
    struct setjmp_plan plan = {SM_REAL(__sigsetjmp), save};
    struct sm_thread *self = sm_self();
    if (!self)
        return plan;
    plan.save_mask = 0;
    unsigned long words[MASK_WORDS] = {0};
    if (save) {
        memcpy(words, &self->signals_blocked, sizeof words[0]);
        words[1] = mark;
        words[2] = ~mark;
    } else if (!is_marked(env)) {
        return plan; /* the buffers of pthread_cleanup_push end before the mask */
    }
    memcpy(&env->__saved_mask, words, sizeof words);
    return plan;
}

/* Continues in libc's function with the caller's own return address on the stack: a later
   siglongjmp must return there. */
__asm__(".globl __sigsetjmp\n"
        ".type __sigsetjmp, @function\n"
        "__sigsetjmp:\n"
        "    pushq %rdi\n"
        "    call plan_setjmp\n"
        "    popq %rdi\n"
        "    movl %edx, %esi\n"
        "    jmp *%rax\n"
        ".size __sigsetjmp, . - __sigsetjmp\n");

static void restore_mask(const struct __jmp_buf_tag *env)
{
    struct sm_thread *self = sm_self();
    if (self)
        self->interrupting = 0; /* if it was in a handler, it has left it */
    if (self && !env->__mask_was_saved && is_marked(env))
        memcpy(&self->signals_blocked, &env->__saved_mask, sizeof(unsigned long));
}

SM_EXPORT _Noreturn void siglongjmp(sigjmp_buf env, int value)
{
    restore_mask(env);
    SM_REAL(siglongjmp)(env, value);
    __builtin_unreachable();
}

SM_EXPORT _Noreturn void longjmp(struct __jmp_buf_tag env[1], int value)
{
    restore_mask(env);
    SM_REAL(longjmp)(env, value);
    __builtin_unreachable();
}

/* Called by fortified programs instead of both; it also checks that the jump goes up. */
SM_EXPORT _Noreturn void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
{
    restore_mask(env);
    SM_REAL(__longjmp_chk)(env, value);
    __builtin_unreachable();
}
