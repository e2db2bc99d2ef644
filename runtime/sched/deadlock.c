/* No thread can run: which locks each thread holds and where it took them, what it waits for and
   who holds that. Threads of a cycle come first. Addresses in braces are for the driver, which has
   the debug information to turn them into names and lines. */
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/region.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"

/* ---- locks held ---- */

static void take(struct sm_thread *thread, uintptr_t lock, uintptr_t pc)
{
    if (thread->n_taken < SM_ARRAY_SIZE(thread->taken))
        thread->taken[thread->n_taken++] = (struct sm_taken){lock, pc};
}

static void release(struct sm_thread *thread, uintptr_t lock)
{
    uint32_t i = thread->n_taken;
    while (i-- > 0)
        if (thread->taken[i].lock == lock) {
            thread->n_taken--;
            for (; i < thread->n_taken; i++)
                thread->taken[i] = thread->taken[i + 1];
            return;
        }
}

void sm_taken_note(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOCK:
    case SM_EV_READ_LOCK:
    case SM_EV_WRITE_LOCK:
        take(event->thread, event->addr, event->pc);
        break;
    case SM_EV_UNLOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_UNLOCK:
        release(event->thread, event->addr);
        break;
    default:
        break;
    }
}

/* ---- the cycle ---- */

/* Following holders from the thread leads back to it. */
static bool is_in_cycle(const struct sm_thread *thread)
{
    const struct sm_thread *at = thread->wait_holder;
    for (uint32_t steps = 0; at && at->state == SM_THREAD_BLOCKED && steps < sm_control->n_threads;
         steps++, at = at->wait_holder)
        if (at == thread)
            return true;
    return false;
}

static bool joins(const struct sm_thread *thread)
{
    return thread->wait_what && strncmp(thread->wait_what, "thread to end", 13) == 0;
}

static bool is_lock(const struct sm_thread *thread)
{
    static const char *const locks[] = {"mutex", "read-write lock", "spin lock"};
    for (size_t i = 0; i < SM_ARRAY_SIZE(locks); i++)
        if (thread->wait_what && strcmp(thread->wait_what, locks[i]) == 0)
            return true;
    return false;
}

static void list_waits(bool cycle)
{
    sm_control->n_waits = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        const struct sm_event *pending = t->pending;
        if (t->state != SM_THREAD_BLOCKED || (cycle ? !is_in_cycle(t) : joins(t)) ||
            sm_control->n_waits == SM_MAX_WAITS)
            continue;
        sm_control->waits[sm_control->n_waits++] = (struct sm_wait_place){
            .pc = pending && pending->pc ? pending->pc - 1 : 0,
            .site = pending && pending->site ? sm_site_number(pending->site) : SM_NO_SITE,
            .thread = t->id};
    }
}

/* ---- the text ---- */

/* An object of the runtime, such as the thread that a join waits for, tells nobody anything. */
static bool is_ours(const void *object)
{
    return (uintptr_t)object >= SM_REGION_RUNTIME && (uintptr_t)object < SM_REGION_END;
}

static size_t put_taken(const struct sm_thread *thread, char *to, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < thread->n_taken; i++)
        used += sm_format(to + used, size - used, "%s {data 0x%lx} (taken at {code 0x%lx})",
                          i ? "," : " holds", thread->taken[i].lock, thread->taken[i].pc - 1);
    return used + (thread->n_taken ? sm_format(to + used, size - used, " and") : 0);
}

static size_t put_wait(const struct sm_thread *thread, char *to, size_t size)
{
    const struct sm_thread *holder = thread->wait_holder;
    if (joins(thread) && holder)
        return sm_format(to, size, " waits for thread %u to end", holder->id);
    const char *what = thread->wait_what ? thread->wait_what : "wake-up";
    size_t used = is_lock(thread) ? sm_format(to, size, " wants the %s", what)
                                  : sm_format(to, size, " waits for a %s", what);
    if (thread->queue && !is_ours(thread->queue))
        used += sm_format(to + used, size - used, " {data %p}", thread->queue);
    if (holder)
        used += sm_format(to + used, size - used, " held by thread %u%s", holder->id,
                          holder->state == SM_THREAD_ENDED ? ", which has ended," : "");
    return used;
}

static size_t describe(const struct sm_thread *thread, char *to, size_t size)
{
    size_t used = sm_format(to, size, "thread %u", thread->id);
    used += put_taken(thread, to + used, size - used);
    used += put_wait(thread, to + used, size - used);
    if (thread->pending && thread->pending->site)
        used += sm_format(to + used, size - used, " at %s:%u", thread->pending->site->file,
                          thread->pending->site->line);
    else if (thread->pending && thread->pending->pc)
        used +=
            sm_format(to + used, size - used, " at {code %p}", (void *)(thread->pending->pc - 1));
    return used + sm_format(to + used, size - used, "\n");
}

static size_t describe_all(bool cycle, char *to, size_t size)
{
    size_t used = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && is_in_cycle(t) == cycle && used + 512 < size)
            used += describe(t, to + used, size - used);
    return used;
}

_Noreturn void sm_deadlock(void)
{
    char text[SM_DETAIL_SIZE];
    size_t cycle = describe_all(true, text, sizeof text);
    size_t used = cycle + describe_all(false, text + cycle, sizeof text - cycle);
    if (used)
        text[used - 1] = 0;
    list_waits(cycle != 0);
    sm_end(SM_END_DEADLOCK, 0, "%s", text);
}
