/* Carrier `thread`: each thread runs on its own kernel thread; the token is a futex. */
#include "base/sys.h"
#include "runtime/sched/carrier.h"

/* The donor is parked in sm_donor_wait; the first hand-over to it runs the body. */
static void start(struct sm_thread *thread)
{
    (void)thread;
}

static void hand_over(struct sm_thread *from, struct sm_thread *to)
{
    sm_donor_go(to);
    sm_donor_wait(from);
}

/* The program's own clean-up has run; pthread_join does what else libc would do at the end of a
   thread (sm_donor_release). So the kernel thread ends by the bare system call. */
static _Noreturn void leave(struct sm_thread *from, struct sm_thread *to)
{
    (void)from;
    sm_set_self(NULL);
    sm_donor_go(to);
    for (;;)
        sm_syscall(SYS_exit, 0L);
}

const struct sm_carrier sm_carrier_thread = {"thread", start, hand_over, leave};
