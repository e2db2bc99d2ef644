/*
 * progress.c - no thread can run: is that a deadlock, a lost wake-up or a livelock?
 *
 * lost-wakeup   All that do not only join others wait for conditions or in loops, and one of them
 *               waits for a condition that was signalled, by another thread, when nobody waited for
 *               it; and the waiter has read nothing since then, or since it locked the mutex, if
 *               that was later. So it had tested its condition before the signal or outside of the
 *               lock, or tests none. A waiter that has read something may have seen all that the
 *               signal stands for: that is a deadlock. Reads are known only where all of them are
 *               events.
 * livelock      All of them wait in loops for memory to change, or for a lock that one of those
 *               holds.
 * deadlock      Everything else, and all cycles of locks.
 */
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"

static bool is_anybody_waiting(const void *cond)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->waits_on == cond)
            return true;
    return false;
}

static void note_signal(const struct sm_event *event)
{
    struct sm_thread *thread = event->thread;
    thread->signal = (struct sm_cond_signal){(const void *)event->addr, event->pc,
                                             sm_control->counters[SM_COUNT_POINT],
                                             event->kind == SM_EV_BROADCAST};
    if (!is_anybody_waiting(thread->signal.cond))
        thread->lost[thread->n_lost++ % SM_ARRAY_SIZE(thread->lost)] = thread->signal;
}

static void note_wait(const struct sm_event *event)
{
    struct sm_thread *thread = event->thread;
    thread->waits_on = (const void *)event->addr;
    thread->waited = sm_control->counters[SM_COUNT_POINT];
    thread->previous_wake = thread->woken;
    thread->previous_wake_by = thread->woken_by;
    thread->woken = (struct sm_cond_signal){0};
}

void sm_progress_woken(struct sm_thread *thread)
{
    const struct sm_thread *by = sm_running();
    if (!by || by->signal.cond != thread->queue)
        return;
    thread->woken = by->signal;
    thread->woken_by = by->id;
}

void sm_progress_note(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOCK:
        event->thread->locked = sm_control->counters[SM_COUNT_POINT];
        break;
    case SM_EV_WAIT:
        note_wait(event);
        break;
    case SM_EV_WAKE:
        event->thread->waits_on = NULL;
        break;
    case SM_EV_SIGNAL:
    case SM_EV_BROADCAST:
        note_signal(event);
        break;
    default:
        break;
    }
}

static bool waits_for(const struct sm_thread *thread, const char *what)
{
    return thread->wait_what && strcmp(thread->wait_what, what) == 0;
}

/* The last signal of thread `by` that the waiter has missed. */
static const struct sm_cond_signal *find_missed(const struct sm_thread *waiter,
                                                const struct sm_thread *by)
{
    const struct sm_cond_signal *found = NULL;
    for (uint32_t i = 0; i < by->n_lost && i < SM_ARRAY_SIZE(by->lost); i++) {
        const struct sm_cond_signal *lost = &by->lost[i];
        uint64_t since = lost->at > waiter->locked ? lost->at : waiter->locked;
        if (lost->cond == waiter->waits_on && waiter->loaded < since &&
            (!found || lost->at > found->at))
            found = lost;
    }
    return found;
}

static void find_lost_signal(const struct sm_thread *waiter, struct sm_stall *stall)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        const struct sm_cond_signal *lost = t == waiter ? NULL : find_missed(waiter, t);
        if (lost && (!stall->lost || lost->at > stall->lost->at)) {
            stall->lost = lost;
            stall->signaller = t;
        }
    }
}

/* Was the thread woken by a signal, only to wait again, while `other` waited at another place? If
   it has signalled since then, the wake-up had an effect. */
static bool is_passed(const struct sm_thread *thread, const struct sm_thread *other)
{
    return thread->previous_wake.cond == thread->waits_on &&
           thread->signal.at <= thread->previous_wake.at && other->waits_on == thread->waits_on &&
           other->waited < thread->previous_wake.at && other->pending && thread->pending &&
           other->pending->pc != thread->pending->pc;
}

static void find_passed(const struct sm_thread *waiter, struct sm_stall *stall)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t && waiter->waits_on; t = t->next)
        if (t != waiter && t->state == SM_THREAD_BLOCKED && is_passed(waiter, t)) {
            stall->waits_again = waiter;
            stall->passed = t;
        }
}

bool sm_waits_in_loop(const struct sm_thread *thread)
{
    return waits_for(thread, SM_WAITS_IN_LOOP);
}

static bool is_behind_loop(const struct sm_thread *thread)
{
    const struct sm_thread *holder = sm_waits_for_lock(thread) ? sm_holder_of(thread) : NULL;
    return holder && holder->state == SM_THREAD_BLOCKED && sm_waits_in_loop(holder);
}

struct sm_stall sm_stall_classify(bool cycle)
{
    struct sm_stall stall = {.kind = SM_FAILURE_DEADLOCK};
    uint32_t conditions = 0, loops = 0, others = 0;
    for (const struct sm_thread *t = sm_thread_by_id(0); t && !cycle; t = t->next) {
        if (t->state != SM_THREAD_BLOCKED || sm_waits_for_end(t) || is_behind_loop(t))
            continue;
        if (sm_waits_in_loop(t)) {
            loops++;
        } else if (waits_for(t, "condition variable")) {
            conditions++;
            if (sm_control->watch_mode == SM_WATCH_ALL)
                find_lost_signal(t, &stall);
            find_passed(t, &stall);
        } else {
            others++;
        }
    }
    if (conditions && !others && stall.lost)
        stall.kind = SM_FAILURE_LOST_WAKEUP;
    else if (loops && !conditions && !others)
        stall.kind = SM_FAILURE_LIVELOCK;
    else
        stall.lost = NULL;
    return stall;
}
