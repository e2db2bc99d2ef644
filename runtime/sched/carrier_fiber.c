/* Carrier `fiber`: every thread runs on the initial kernel thread, on a stack and with
   thread-local storage lent by its donor. */
#include <sys/auxv.h>

#include "base/sys.h"
#include "runtime/sched/carrier.h"

enum { HWCAP2_FSGSBASE_BIT = 1 << 1 };

/* wrfsbase takes 6 ns, the equivalent system call about 100. */
static int has_fsgsbase(void)
{
    static int known = -1;
    if (known < 0)
        known = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE_BIT) != 0;
    return known;
}

static void start(struct sm_thread *thread)
{
    thread->context = sm_fiber_prepare(thread->context, sm_thread_body, thread);
}

static void hand_over(struct sm_thread *from, struct sm_thread *to)
{
    sm_fiber_switch(&from->context, to->context, to->tls, has_fsgsbase());
}

static _Noreturn void leave(struct sm_thread *from, struct sm_thread *to)
{
    hand_over(from, to);
    sm_die("thread %u ran after its end", from->id);
}

void sm_fiber_run(void **save, void *stack, void (*function)(void *), void *arg)
{
    sm_fiber_switch(save, sm_fiber_prepare(stack, function, arg), (uintptr_t)pthread_self(),
                    has_fsgsbase());
}

_Noreturn void sm_fiber_leave(void *saved)
{
    void *unused;
    sm_fiber_switch(&unused, saved, sm_thread_by_id(0)->tls, has_fsgsbase());
    __builtin_unreachable();
}

const struct sm_carrier sm_carrier_fiber = {"fiber", start, hand_over, leave};
