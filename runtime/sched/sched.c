#include "runtime/sched/sched.h"

#include <errno.h>

#include "base/sys.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/engine.h"
#include "runtime/heap.h"
#include "runtime/intercept/cancel.h"
#include "runtime/model/model.h"
#include "runtime/policy/policy.h"
#include "runtime/sched/carrier.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/livelock.h"
#include "runtime/step.h"

static const struct sm_carrier *carrier;
static struct sm_thread *ended; /* its donor is to be released by the next thread that runs */
static uint64_t next_deadline;  /* earliest deadline of the blocked threads, or earlier */

/* Defined by intercept/signal.c and intercept/timer.c. */
extern volatile int sm_signals_waiting;
void sm_signals_deliver(struct sm_thread *self);
uint64_t sm_timers_run(uint64_t now);

struct sm_thread *sm_sched_start(void)
{
    carrier = sm_option(carrier) == SM_CARRIER_FIBER ? &sm_carrier_fiber : &sm_carrier_thread;
    next_deadline = SM_NO_DEADLINE;
    sm_time_start();
    sm_livelock_start();
    if (sm_engine->has_time) /* a microsecond for each thread: verify would take a fifth longer */
        sm_donors_start();
    sm_ready_start();
    struct sm_thread *initial = sm_thread_new();
    initial->handle = pthread_self();
    initial->tls = (uintptr_t)initial->handle;
    initial->state = SM_THREAD_RUNNABLE;
    sm_ready_add(initial);
    if (sm_schedule && sm_schedule->created)
        sm_schedule->created(initial);
    return initial;
}

/* ---- switching ---- */

static void reap(void)
{
    struct sm_thread *dead = ended;
    if (!dead)
        return;
    ended = NULL;
    struct sm_thread *self = sm_self();
    if (self)
        self->in_runtime = true;
    sm_donor_release(dead);
    if (self)
        self->in_runtime = false;
}

static void switch_to(struct sm_thread *self, struct sm_thread *next)
{
    if (next == self)
        return;
    sm_count(SWITCH);
    if (sm_model->switched)
        sm_model->switched(self, next);
    self->frame = (uintptr_t)__builtin_frame_address(0);
    carrier->hand_over(self, next);
    reap();
}

static struct sm_thread *pick(struct sm_thread *self)
{
    struct sm_candidates candidates = {sm_ready, sm_ready_count, sm_ready_from(self)};
    return sm_candidate(&candidates, sm_choose(SM_PURPOSE_THREAD, candidates.n, &candidates));
}

/* ---- time and budgets ---- */

static void wake_sleepers(void)
{
    uint64_t now = sm_now();
    next_deadline = sm_timers_run(now);
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (t->state != SM_THREAD_BLOCKED)
            continue;
        if (t->deadline <= now)
            sm_wake_thread(t, SM_TIMED_OUT);
        else if (t->deadline < next_deadline)
            next_deadline = t->deadline;
    }
}

bool sm_waits_for_time(void)
{
    return next_deadline != SM_NO_DEADLINE;
}

void sm_wake_at(uint64_t deadline)
{
    if (deadline < next_deadline)
        next_deadline = deadline;
}

/* A loaded machine delays a thread by up to a second. Timeouts over 1 s are treated as infinite. */
static const uint64_t most_delay = 1000000000;

void sm_time_may_pass(uint64_t deadline)
{
    if (deadline <= sm_now() || deadline - sm_now() > most_delay || !sm_engine->has_time)
        return;
    if (sm_choose(SM_PURPOSE_TIMEOUT, 2, NULL))
        sm_time_leap(deadline);
}

static void spend_step(void)
{
    sm_count(POINT);
    uint64_t limit = sm_option(steps);
    if (SM_UNLIKELY(limit && sm_control->counters[SM_COUNT_POINT] > limit))
        sm_end(SM_END_HANG, 0, "the execution did not end within %lu steps", limit);
    sm_time += SM_POINT_TAKES;
    if (SM_UNLIKELY(sm_time >= next_deadline))
        wake_sleepers();
}

/* ---- yielding ---- */

/* How much stack the runtime needs below a hook, with every analysis on and recording. A program
   that is about to overflow its stack does so here, at the same event whatever our options;
   otherwise the hook would, at an event that depends on them. */
enum { RESERVED_STACK = 32 << 10 };

static void check_stack(const struct sm_thread *self)
{
    uintptr_t low = (uintptr_t)self->stack_low, here = (uintptr_t)__builtin_frame_address(0);
    if (SM_UNLIKELY(here - low < RESERVED_STACK))
        *(volatile char *)(low - 1) = 0; /* the guard page: faults like a deeper call */
}

void sm_point(struct sm_event *pending)
{
    struct sm_thread *self = sm_self();
    if (SM_UNLIKELY(sm_end_due))
        sm_end_held();
    check_stack(self);
    self->pending = pending;
    self->points++;
    spend_step();
    sm_fds_check();
    if (sm_model->point)
        sm_model->point(self);
    if (!self->no_switch && sm_ready_count > 1)
        switch_to(self, pick(self));
    self->pending = NULL;
    if (SM_UNLIKELY(self->cancel_pending))
        sm_test_cancel_async();
    if (SM_UNLIKELY(sm_signals_waiting)) {
        self->at_any_event = !pending || pending->kind != SM_EV_KILL;
        sm_signals_deliver(self);
        self->at_any_event = false;
    }
}

void sm_yield(void *pc)
{
    if (sm_schedule && sm_schedule->yielded)
        sm_schedule->yielded(sm_self());
    struct sm_event event = sm_sync_event(SM_EV_YIELD, NULL, 0, pc);
    sm_point(&event);
    sm_sync(&event);
}

static void refuse_strangers(void)
{
    if (sm_engine->has_time && sm_has_strangers())
        sm_end(SM_END_REFUSED, 0,
               "every thread waits, and only a thread that is not under control can end that: one "
               "that the program made by clone, or that libc makes for asynchronous I/O and "
               "notifications (SIGEV_THREAD)");
}

/* Waits until a thread can run: descriptors first, then time leaps, then the outside world. */
static void wait_until_ready(void)
{
    sm_fds_check();
    while (sm_ready_count == 0) {
        bool more = sm_fds_settle(next_deadline == SM_NO_DEADLINE);
        sm_signals_import();
        if (sm_ready_count)
            return;
        if (next_deadline != SM_NO_DEADLINE) {
            sm_time_leap(next_deadline);
            wake_sleepers();
        } else if (!more) {
            refuse_strangers();
            sm_deadlock();
        }
    }
}

/* Suspends self, whose queue is set, until it is woken. */
static enum sm_wake_reason suspend(struct sm_thread *self, struct sm_event *pending)
{
    self->state = SM_THREAD_BLOCKED;
    self->pending = pending;
    sm_wake_at(self->deadline);
    sm_ready_remove(self);
    self->points++;
    spend_step();
    if (sm_model->point)
        sm_model->point(self);
    wait_until_ready();
    switch_to(self, pick(self));
    self->pending = NULL;
    return self->wake_reason;
}

/* Blocks, and runs signal handlers meanwhile. A wait that they do not interrupt keeps its place on
   the queue: sm_wake_* finds the thread there. */
static enum sm_wake_reason block(struct sm_thread *self, const struct sm_wait *wait,
                                 struct sm_event *pending)
{
    /* This may be a wait in a handler that runs inside another wait. */
    const bool outer_handling = self->handling;
    const void *outer_queue = self->queue;
    const uint64_t outer_deadline = self->deadline;
    if (wait->interruptible && self->cancel_pending && !self->cancel_disabled)
        return SM_SIGNALLED;
    self->queue = wait->queue;
    self->deadline = wait->deadline;
    enum sm_wake_reason reason;
    do {
        self->wait_what = wait->what;
        self->wait_holder = wait->holder;
        self->interruptible = wait->interruptible;
        self->handling = false;
        reason = suspend(self, pending);
        if (reason == SM_SIGNALLED)
            sm_signals_deliver(self);
    } while (self->handling);
    if (reason == SM_SIGNALLED && !wait->interruptible)
        reason = SM_WOKEN; /* woken while a handler ran */
    self->handling = outer_handling;
    self->queue = outer_queue;
    self->deadline = outer_deadline;
    return reason;
}

enum sm_wake_reason sm_block(const struct sm_wait *wait, struct sm_event *pending)
{
    return block(sm_self(), wait, pending);
}

static enum sm_wake_reason block_fd(int fd, short events, uint64_t deadline, bool outside,
                                    struct sm_event *pending)
{
    struct sm_thread *self = sm_self();
    struct sm_wait wait = {.what = "descriptor", .deadline = deadline, .interruptible = true};
    self->wait_fd = fd;
    self->wait_events = events;
    self->wait_outside = outside;
    sm_fds_waiting(1);
    enum sm_wake_reason reason = block(self, &wait, pending);
    if (self->wait_fd >= 0) { /* cancelled before it could block */
        self->wait_fd = -1;
        sm_fds_waiting(-1);
    }
    return reason;
}

enum sm_wake_reason sm_block_fd(int fd, short events, uint64_t deadline, struct sm_event *pending)
{
    return block_fd(fd, events, deadline, false, pending);
}

enum sm_wake_reason sm_block_outside(int fd, uint64_t deadline, struct sm_event *pending)
{
    enum { READABLE = 1 }; /* POLLIN */
    return block_fd(fd, READABLE, deadline, true, pending);
}

/* ---- waking ---- */

void sm_wake_thread(struct sm_thread *thread, enum sm_wake_reason reason)
{
    if (thread->state != SM_THREAD_BLOCKED && !thread->handling)
        return;
    if (thread->wait_fd >= 0) {
        thread->wait_fd = -1;
        sm_fds_waiting(-1);
    }
    if (thread->state == SM_THREAD_BLOCKED)
        sm_ready_add(thread);
    thread->state = SM_THREAD_RUNNABLE;
    thread->wake_reason = (uint8_t)reason;
    thread->handling = reason == SM_SIGNALLED && !thread->interruptible;
    if (thread->handling)
        return;
    thread->queue = NULL;
    thread->deadline = SM_NO_DEADLINE;
}

static bool waits_on(const struct sm_thread *thread, const void *queue)
{
    return (thread->state == SM_THREAD_BLOCKED || thread->handling) && thread->queue == queue;
}

uint32_t sm_waiters(const void *queue)
{
    uint32_t n = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        n += waits_on(t, queue);
    return n;
}

uint32_t sm_wake_one(const void *queue)
{
    uint32_t n = sm_waiters(queue);
    if (n == 0)
        return 0;
    uint32_t skip = sm_choose(SM_PURPOSE_WAKE, n, NULL);
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (!waits_on(t, queue) || skip--)
            continue;
        sm_progress_woken(t);
        sm_wake_thread(t, SM_WOKEN);
        break;
    }
    return 1;
}

uint32_t sm_wake_all(const void *queue)
{
    uint32_t n = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (!waits_on(t, queue))
            continue;
        sm_wake_thread(t, SM_WOKEN);
        n++;
    }
    return n;
}

/* ---- threads ---- */

struct sm_thread *sm_spawn(void *(*start)(void *), void *arg, size_t stack_size, bool detached,
                           uintptr_t pc)
{
    struct sm_thread *self = sm_self();
    struct sm_thread *thread = sm_thread_new();
    thread->start = start;
    thread->arg = arg;
    if (thread->id < SM_MAX_STARTS)
        sm_control->starts[thread->id] = (uintptr_t)start;
    thread->detached = detached;
    thread->parent = self->id;
    thread->created_at = pc ? pc - 1 : 0;
    thread->signals_blocked = self->signals_blocked;
    self->in_runtime = true;
    int error = sm_donor_attach(thread, stack_size);
    self->in_runtime = false;
    if (error) {
        thread->state = SM_THREAD_ENDED;
        errno = error;
        return NULL;
    }
    carrier->start(thread);
    thread->state = SM_THREAD_RUNNABLE;
    sm_ready_add(thread);
    if (sm_schedule && sm_schedule->created)
        sm_schedule->created(thread);
    struct sm_event event = sm_sync_event(SM_EV_SPAWN, NULL, thread->id, (void *)pc);
    sm_sync(&event);
    return thread;
}

void sm_fence_in(struct sm_thread *thread, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_FENCE, NULL, 0, pc);
    event.order = SM_ORDER_SEQ_CST;
    event.thread = thread;
    sm_step_more(&event);
}

_Noreturn void sm_thread_body(void *arg)
{
    struct sm_thread *thread = arg;
    reap();
    struct sm_event event = sm_sync_event(SM_EV_BEGIN, NULL, thread->parent, NULL);
    sm_sync(&event);
    thread->begun = true;
    if (thread->fence_first)
        sm_fence_in(thread, NULL);
    sm_thread_finish(thread->start(thread->arg));
}

_Noreturn void sm_thread_end(void *result)
{
    struct sm_thread *self = sm_self();
    SM_ASSERT(self->id != 0);
    struct sm_event event = sm_sync_event(SM_EV_END, NULL, 0, NULL);
    self->result = result;
    sm_sync(&event);
    self->state = SM_THREAD_ENDED;
    sm_ready_remove(self);
    sm_wake_all(self);
    wait_until_ready();
    SM_ASSERT(!ended);
    ended = self;
    struct sm_thread *next = pick(self);
    sm_count(SWITCH);
    if (sm_model->switched)
        sm_model->switched(self, next);
    carrier->leave(self, next);
    __builtin_unreachable();
}
