/* No thread can run: reports which locks each thread of a cycle holds and where it took them, which
   it wants, and what to do; without a cycle, what each thread waits for. Addresses in braces are
   for the driver, which has the debug information to turn them into names and lines. */
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/intercept/identity.h"
#include "runtime/module.h"
#include "runtime/region.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"
#include "runtime/sync/object.h"

/* ---- locks held ---- */

static void take(const struct sm_event *event)
{
    struct sm_thread *thread = event->thread;
    if (thread->n_taken == SM_ARRAY_SIZE(thread->taken)) {
        thread->taken_lost++;
        return;
    }
    struct sm_taken *taken = &thread->taken[thread->n_taken++];
    *taken = (struct sm_taken){event->addr, event->pc, event->kind == SM_EV_READ_LOCK, 0, {0}};
    taken->depth =
        sm_stack_walk(thread, event->pc ? event->pc - 1 : 0, (uintptr_t)__builtin_frame_address(0),
                      taken->stack, SM_TAKEN_DEPTH);
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
        take(event);
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

bool sm_waits_for_lock(const struct sm_thread *thread)
{
    static const char *const locks[] = {"mutex", "read-write lock", "spin lock"};
    for (size_t i = 0; i < SM_ARRAY_SIZE(locks); i++)
        if (thread->wait_what && strcmp(thread->wait_what, locks[i]) == 0)
            return true;
    return false;
}

static bool has_taken(const struct sm_thread *thread, uintptr_t lock)
{
    for (uint32_t i = 0; i < thread->n_taken; i++)
        if (thread->taken[i].lock == lock)
            return true;
    return false;
}

/* The thread that this one waits for; NULL: none in particular. In verify objects do not have their
   holder, but threads have the locks they took. */
const struct sm_thread *sm_holder_of(const struct sm_thread *thread)
{
    if (thread->wait_holder || !sm_waits_for_lock(thread))
        return thread->wait_holder;
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (has_taken(t, (uintptr_t)thread->queue))
            return t;
    return NULL;
}

/* Following holders from the thread leads back to it. */
static bool is_in_cycle(const struct sm_thread *thread)
{
    const struct sm_thread *at = sm_holder_of(thread);
    for (uint32_t steps = 0; at && at->state == SM_THREAD_BLOCKED && steps < sm_control->n_threads;
         steps++, at = sm_holder_of(at))
        if (at == thread)
            return true;
    return false;
}

bool sm_waits_for_end(const struct sm_thread *thread)
{
    return thread->wait_what && strncmp(thread->wait_what, "thread to end", 13) == 0;
}

static uint32_t stack_of_wait(const struct sm_thread *thread, uint64_t *stack, uint32_t limit)
{
    uintptr_t frame =
        thread == sm_running() ? (uintptr_t)__builtin_frame_address(0) : thread->frame;
    return sm_stack_walk(thread, thread->pending->pc - 1, frame, stack, limit);
}

/* Inside the program's call that waits, which one of the runtime may have come between
   (core/libc/access.h); 0: not known. */
static uintptr_t place_of_wait(const struct sm_thread *thread)
{
    uint64_t pc;
    bool known = thread->pending && thread->pending->pc && stack_of_wait(thread, &pc, 1);
    return known ? (uintptr_t)pc : 0;
}

static void list_waits(bool cycle)
{
    sm_control->n_waits = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        const struct sm_event *pending = t->pending;
        if (t->state != SM_THREAD_BLOCKED || (cycle ? !is_in_cycle(t) : sm_waits_for_end(t)) ||
            sm_control->n_waits == SM_MAX_WAITS)
            continue;
        struct sm_wait_place *wait = &sm_control->waits[sm_control->n_waits++];
        *wait = (struct sm_wait_place){
            .pc = place_of_wait(t),
            .site = pending && pending->site ? sm_site_number(pending->site) : SM_NO_SITE,
            .thread = t->id};
        if (wait->pc)
            wait->depth = stack_of_wait(t, wait->stack, SM_WAIT_DEPTH);
    }
}

/* ---- the text ---- */

/* An object of the runtime, such as the thread that a join waits for, is of no use in a report. */
static bool is_ours(const void *object)
{
    return (uintptr_t)object >= SM_REGION_RUNTIME && (uintptr_t)object < SM_REGION_END;
}

/* " {lock ADDRESS STACK...}" */
static size_t put_lock(uintptr_t lock, const uint64_t *stack, uint32_t depth, char *to, size_t size)
{
    size_t used = sm_format(to, size, " {lock 0x%lx", lock);
    for (uint32_t i = 0; i < depth; i++)
        used += sm_format(to + used, size - used, " 0x%lx", (unsigned long)stack[i]);
    return used + sm_format(to + used, size - used, "}");
}

static size_t put_taken(const struct sm_thread *thread, char *to, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < thread->n_taken; i++) {
        const struct sm_taken *taken = &thread->taken[i];
        used += sm_format(to + used, size - used, "%s", i ? "," : " holds");
        used += put_lock(taken->lock, taken->stack, taken->depth, to + used, size - used);
    }
    return used + (thread->n_taken ? sm_format(to + used, size - used, " and") : 0);
}

/* The holder of a lock that is not part of a cycle. */
static size_t put_holder(const struct sm_thread *thread, bool cycle, char *to, size_t size)
{
    const struct sm_thread *holder = sm_holder_of(thread);
    if (cycle || !holder)
        return 0;
    return sm_format(to, size, ", held by thread %u%s", holder->id,
                     holder->state == SM_THREAD_ENDED ? ", which has ended" : "");
}

static size_t put_place(const struct sm_thread *thread, char *to, size_t size)
{
    const struct sm_event *pending = thread->pending;
    if (pending && pending->site)
        return sm_format(to, size, " (%s:%u)", SM_SITE_TEXT(pending->site, file),
                         pending->site->line);
    uintptr_t place = place_of_wait(thread);
    return place ? sm_format(to, size, " ({code %p})", (void *)place) : 0;
}

/* The object, with the place. */
static size_t put_wanted(const struct sm_thread *thread, char *to, size_t size)
{
    const struct sm_event *pending = thread->pending;
    uint64_t stack[SM_TAKEN_DEPTH];
    if (!pending || pending->site || !pending->pc) {
        size_t used = sm_format(to, size, " {data %p}", thread->queue);
        return used + put_place(thread, to + used, size - used);
    }
    uint32_t depth = stack_of_wait(thread, stack, SM_TAKEN_DEPTH);
    return put_lock((uintptr_t)thread->queue, stack, depth, to, size);
}

static size_t put_loop(const struct sm_thread *thread, char *to, size_t size)
{
    size_t used =
        thread->queue
            ? sm_format(to, size, " waits in a loop for a change of {data %p}", thread->queue)
            : sm_format(to, size, " waits in a loop for a change of what it reads");
    return used + put_place(thread, to + used, size - used);
}

static size_t put_wait(const struct sm_thread *thread, char *to, size_t size)
{
    if (sm_waits_for_end(thread) && thread->wait_holder) {
        size_t used = sm_format(to, size, " waits for thread %u to end", thread->wait_holder->id);
        return used + put_place(thread, to + used, size - used);
    }
    if (sm_waits_in_loop(thread))
        return put_loop(thread, to, size);
    const char *what = thread->wait_what ? thread->wait_what : "wake-up";
    size_t used = sm_waits_for_lock(thread) ? sm_format(to, size, " wants")
                                            : sm_format(to, size, " waits for a %s", what);
    if (thread->queue && !is_ours(thread->queue))
        return used + put_wanted(thread, to + used, size - used);
    if (sm_waits_for_lock(thread))
        used += sm_format(to + used, size - used, " a %s", what);
    return used + put_place(thread, to + used, size - used);
}

static bool stores(const struct sm_site *site)
{
    return site->kind == SM_SITE_STORE || site->kind == SM_SITE_ATOMIC_STORE ||
           site->kind == SM_SITE_RMW || site->kind == SM_SITE_CAS;
}

static bool is_variable(const struct sm_site *site, const char *name)
{
    const char *variable = SM_SITE_TEXT(site, variable);
    return variable && *name && strcmp(variable, name) == 0;
}

/* What could have ended the loop: the first few places that store to what it reads. */
static size_t put_stores(const struct sm_thread *thread, char *to, size_t size)
{
    enum { PLACES = 3 };
    const struct sm_site *own = thread->pending ? thread->pending->site : NULL;
    uint32_t n = 0;
    size_t used = 0;
    for (const struct sm_module *module = sm_modules; own && module; module = module->next)
        for (uint32_t i = 0; i < module->n_sites && n < PLACES; i++) {
            const struct sm_site *site = &module->sites[i];
            if (site == own || !stores(site) || !is_variable(site, SM_SITE_TEXT(own, variable)))
                continue;
            used += sm_format(to + used, size - used, "%s %s:%u (%s)",
                              n++ ? "," : ", which is stored to at", SM_SITE_TEXT(site, file),
                              site->line, SM_SITE_TEXT(site, function));
        }
    return used;
}

static size_t describe(const struct sm_thread *thread, bool cycle, char *to, size_t size)
{
    size_t used = sm_format(to, size, "thread %u", thread->id);
    used += put_taken(thread, to + used, size - used);
    used += put_wait(thread, to + used, size - used);
    if (sm_waits_in_loop(thread))
        used += put_stores(thread, to + used, size - used);
    return used + put_holder(thread, cycle, to + used, size - used);
}

/* A thread that only waits for another of these to end is not a cause, unless all do. */
static bool is_to_be_named(const struct sm_thread *thread, bool cycle, bool causes)
{
    return thread->state == SM_THREAD_BLOCKED &&
           (cycle ? is_in_cycle(thread) : !causes || !sm_waits_for_end(thread));
}

static bool has_cause(bool cycle)
{
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && (cycle ? is_in_cycle(t) : !sm_waits_for_end(t)))
            return true;
    return false;
}

static size_t describe_all(bool cycle, char *to, size_t size)
{
    bool causes = has_cause(false);
    size_t used = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (!is_to_be_named(t, cycle, causes) || used + 512 >= size)
            continue;
        used += sm_format(to + used, size - used, "%s", used ? "; " : "");
        used += describe(t, cycle, to + used, size - used);
    }
    return used;
}

/* ---- what to do ---- */

static bool is_cause(const struct sm_thread *thread, const char *what)
{
    return thread->state == SM_THREAD_BLOCKED && thread->wait_what &&
           strcmp(thread->wait_what, what) == 0;
}

static bool any_waits_for(const char *what)
{
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (is_cause(t, what))
            return true;
    return false;
}

/* How many threads want a lock while they hold one; 0 if there is another cause. */
static uint32_t lockers(bool cycle)
{
    uint32_t n = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (t->state != SM_THREAD_BLOCKED || (cycle ? !is_in_cycle(t) : sm_waits_for_end(t)))
            continue;
        if (!sm_waits_for_lock(t) || !t->n_taken)
            return 0;
        n++;
    }
    return n;
}

static bool some_holder_has_ended(void)
{
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && sm_waits_for_lock(t) && sm_holder_of(t) &&
            sm_holder_of(t)->state == SM_THREAD_ENDED)
            return true;
    return false;
}

static const char *remedy(bool cycle, const struct sm_stall *stall)
{
    if (stall->kind == SM_FAILURE_LOST_WAKEUP)
        return "Change the condition, test it and wait under one lock.";
    if (stall->kind == SM_FAILURE_LIVELOCK)
        return "No thread is left to store what it waits for.";
    uint32_t n = lockers(cycle);
    if (cycle && n == 1)
        return "Do not lock again what the thread holds.";
    if (n > 1)
        return n == 2 ? "Lock both in one order." : "Lock all in one order.";
    if (cycle)
        return "Let go of the lock before waiting.";
    if (some_holder_has_ended())
        return "Unlock before the thread ends.";
    if (stall->waits_again)
        return "A broadcast wakes all that wait; or use a condition variable for each condition.";
    if (any_waits_for("condition variable"))
        return "No thread is left to signal it: change the condition, test it and wait under one "
               "lock.";
    return "No thread is left to wake it.";
}

static size_t put_lost(const struct sm_stall *stall, char *to, size_t size)
{
    if (!stall->lost)
        return 0;
    return sm_format(to, size,
                     ". The %s by thread %u ({code 0x%lx}) came before the wait, and found "
                     "nobody waiting",
                     stall->lost->broadcast ? "broadcast" : "signal", stall->signaller->id,
                     stall->lost->pc - 1);
}

static size_t put_vain(const struct sm_stall *stall, char *to, size_t size)
{
    const struct sm_thread *again = stall->waits_again;
    if (stall->kind != SM_FAILURE_DEADLOCK || !again)
        return 0;
    return sm_format(to, size,
                     ". The signal by thread %u ({code 0x%lx}) woke thread %u, which waits again, "
                     "and not thread %u",
                     again->previous_wake_by, again->previous_wake.pc - 1, again->id,
                     stall->passed->id);
}

/* Another process may end the wait: its threads are not under control. */
static void refuse_processes(void)
{
    if (!sm_process_has_forked())
        return;
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && t->pending && sm_object_is_process_shared(t->pending))
            sm_end(SM_END_REFUSED, 0,
                   "thread %u waits for a lock, condition or semaphore that processes share: only "
                   "the threads of one process are under control; test one process by itself",
                   t->id);
}

_Noreturn void sm_deadlock(void)
{
    refuse_processes();
    char text[SM_DETAIL_SIZE];
    bool cycle = has_cause(true);
    struct sm_stall stall = sm_stall_classify(cycle);
    size_t used = describe_all(cycle, text, sizeof text - 512);
    used += put_lost(&stall, text + used, sizeof text - used);
    used += put_vain(&stall, text + used, sizeof text - used);
    sm_format(text + used, sizeof text - used, ". %s", remedy(cycle, &stall));
    list_waits(cycle);
    sm_end(SM_END_DEADLOCK, (int)stall.kind, "%s", text);
}
