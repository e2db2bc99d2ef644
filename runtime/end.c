#define _GNU_SOURCE
#include "runtime/end.h"

#include <string.h>
#include <ucontext.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/model/speculation.h"
#include "runtime/module.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

static void write_end(int end, int status, uintptr_t pc, uintptr_t frame)
{
    /* whether in_runtime or not: the running thread is where it ended */
    struct sm_thread *self = sm_running();
    sm_control->end = (uint32_t)end;
    sm_control->status = status;
    sm_control->end_site = SM_NO_SITE;
    sm_control->end_depth = 0;
    if (!self)
        return;
    sm_control->end_thread = self->id;
    if (self->pending)
        sm_control->end_site = sm_site_number(self->pending->site);
    sm_control->end_depth = sm_stack_walk(self, pc, frame, sm_control->end_stack, SM_STACK_DEPTH);
}

static _Noreturn void leave(int status)
{
    if (sm_restart_on())
        sm_restart_leave();
    for (;;)
        sm_syscall(SYS_exit_group, (long)status);
}

_Noreturn static void die_of(int signo)
{
    if (sm_restart_on())
        sm_restart_leave();
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } action = {0};
    unsigned long set = 1ul << (signo - 1);
    sm_syscall(SYS_rt_sigaction, (long)signo, &action, NULL, 8L);
    sm_syscall(SYS_rt_sigprocmask, (long)SIG_UNBLOCK, &set, NULL, 8L);
    sm_syscall(SYS_tgkill, sm_syscall(SYS_getpid), sm_syscall(SYS_gettid), (long)signo);
    leave(128 + signo);
}

void sm_end_exit(int status)
{
    if (sm_control)
        write_end(SM_END_EXIT, status, 0, 0);
}

/* ---- failures that are held back ---- */

static bool held; /* a thread is held, its failure is in the control block */
bool sm_end_due;

_Noreturn static void leave_by(int end, int status)
{
    if (end == SM_END_EXIT)
        leave(status);
    if (end == SM_END_SIGNAL)
        die_of(status);
    if (end == SM_END_ASSERT || end == SM_END_HARM)
        die_of(SIGABRT);
    leave(SM_EXIT_ENDED);
}

void sm_end_wait(void)
{
    struct sm_wait wait = {.queue = &sm_speculation_queues[SM_EXITING],
                           .what = "value that was foreseen",
                           .deadline = SM_NO_DEADLINE};
    while (sm_speculating())
        sm_block(&wait, sm_running()->pending);
}

bool sm_end_is_held(void)
{
    return held;
}

void sm_end_settled(void)
{
    sm_end_due = held;
}

_Noreturn void sm_end_held(void)
{
    leave_by((int)sm_control->end, sm_control->status);
}

/* Only the first failure counts: later ones may be its consequences. Never returns: after a fault
   we run on the signal stack, which the next fault reuses. */
_Noreturn static void hold(void)
{
    struct sm_wait wait = {.queue = &sm_speculation_queues[SM_FAILED],
                           .what = "value that was foreseen",
                           .deadline = SM_NO_DEADLINE};
    held = true;
    for (;;)
        sm_block(&wait, sm_running()->pending);
}

/* ---- ways to end ---- */

void sm_crash(int signo, const siginfo_t *info, void *context)
{
    if (!sm_control)
        return;
    const ucontext_t *user = context;
    if (!held) {
        const greg_t *registers = user->uc_mcontext.gregs;
        uintptr_t pc = sm_access_pc((uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP]);
        write_end(SM_END_SIGNAL, signo, pc, (uintptr_t)registers[REG_RBP]);
        sm_control->fault_addr = (uintptr_t)info->si_addr;
        sm_format(sm_control->detail, sizeof sm_control->detail, "%s", "");
    }
    if (!sm_speculating() && !held && !sm_restart_on())
        return;
    static const uint64_t none = 0; /* the calling handler will not return */
    sm_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &none, NULL, 8L);
    if (sm_speculating())
        hold();
    if (held)
        sm_end_held();
    sm_restart_leave();
}

/* Such an end is valid only if all foreseen values have been stored. */
static bool must_settle(int end)
{
    return sm_end_is_failure(end) || end == SM_END_EXIT || end == SM_END_DEADLOCK ||
           end == SM_END_HANG;
}

_Noreturn static void end_unsettled(int end)
{
    if (sm_end_is_failure(end))
        hold();
    sm_control->end = SM_END_UNVALIDATED;
    leave(SM_EXIT_ENDED);
}

__attribute__((noinline)) static void sm_debug_stop(void)
{
    __asm__ volatile(""); /* keeps calls from being optimised away */
}

void sm_debug_reach(enum sm_debug_reason reason)
{
    sm_control->stopped = reason;
    sm_debug_stop();
}

_Noreturn void sm_end(int end, int status, const char *format, ...)
{
    if (sm_control && end != SM_END_EXIT)
        sm_debug_reach(SM_DEBUG_AT_END);
    bool settle = sm_control && must_settle(end);
    if (sm_control && !(settle && held)) {
        write_end(end, status, 0, (uintptr_t)__builtin_frame_address(0));
        va_list args;
        va_start(args, format);
        sm_vformat(sm_control->detail, sizeof sm_control->detail, format, args);
        va_end(args);
        if (sm_engine->ending)
            sm_engine->ending();
    }
    if (settle && sm_speculating())
        end_unsettled(end);
    if (settle && held)
        sm_end_held();
    leave_by(end, status);
}

/* Usable at any time, in any state. */
static _Noreturn void give_up(enum sm_end end, int status, const char *format, va_list args)
{
    char text[1024];
    sm_vformat(text, sizeof text, format, args);
    if (sm_control) {
        sm_control->end = end;
        sm_format(sm_control->detail, sizeof sm_control->detail, "%s", text);
    } else {
        sm_warn("%s", text);
    }
    leave(status);
}

_Noreturn void sm_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(SM_END_ERROR, SM_EXIT_ERROR, format, args);
}

_Noreturn void sm_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(SM_END_REFUSED, SM_EXIT_REFUSED, format, args);
}
