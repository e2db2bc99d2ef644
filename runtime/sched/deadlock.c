/* No thread can run: who waits for what, held by whom, where. Addresses in braces are for
   the driver, which has the debug information to turn them into names and lines. */
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/region.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"

/* An object of the runtime, such as the thread that a join waits for, tells nobody anything. */
static bool is_ours(const void *object)
{
    return (uintptr_t)object >= SM_REGION_RUNTIME && (uintptr_t)object < SM_REGION_END;
}

static size_t describe(const struct sm_thread *thread, char *to, size_t size)
{
    size_t used = sm_format(to, size, "thread %u waits for a %s", thread->id,
                            thread->wait_what ? thread->wait_what : "wake-up");
    if (thread->queue && !is_ours(thread->queue))
        used += sm_format(to + used, size - used, " {data %p}", thread->queue);
    if (thread->wait_holder)
        used += sm_format(to + used, size - used, " held by thread %u", thread->wait_holder->id);
    if (thread->pending && thread->pending->site)
        used += sm_format(to + used, size - used, " at %s:%u", thread->pending->site->file,
                          thread->pending->site->line);
    else if (thread->pending && thread->pending->pc)
        used +=
            sm_format(to + used, size - used, " at {code %p}", (void *)(thread->pending->pc - 1));
    return used + sm_format(to + used, size - used, "\n");
}

_Noreturn void sm_deadlock(void)
{
    char text[SM_DETAIL_SIZE];
    size_t used = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && used + 256 < sizeof text)
            used += describe(t, text + used, sizeof text - used);
    if (used)
        text[used - 1] = 0;
    sm_end(SM_END_DEADLOCK, 0, "%s", text);
}
