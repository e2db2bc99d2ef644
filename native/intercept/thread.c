/*
 * thread.c - creating, joining and ending threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>
#include <unistd.h>

#include "core/libc/real.h"
#include "native/counters.h"
#include "native/intercept/message.h"
#include "native/intercept/thread.h"
#include "native/misuse.h"
#include "native/paths.h"
#include "native/report.h"
#include "native/shadow.h"
#include "native/sync.h"

/* ---- which pthread_t is whose ----
 * And whether it was joined or detached, until libc reuses the handle, which happens soon. */

#define BUCKETS 1024

enum handle_state { JOINABLE, JOINED, DETACHED };

struct handle {
    pthread_t handle;
    struct sm_detect_thread *thread;
    enum handle_state state;
    struct handle *next;
};

static struct handle *buckets[BUCKETS];
static uint32_t lock; /* of the buckets */

/* Created if there is none. Under the lock. */
static struct handle *find_handle(pthread_t handle)
{
    struct handle **at = &buckets[(handle >> 12) * 0x9e3779b97f4a7c15u >> 54];
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    if (!*at) {
        *at = sm_alloc(sizeof **at);
        **at = (struct handle){.handle = handle};
    }
    return *at;
}
_Static_assert(BUCKETS == 1 << (64 - 54), "ten bits of the product");

/* `thread` NULL: one that is not checked. */
static void add_handle(pthread_t handle, struct sm_detect_thread *thread)
{
    sm_lock_word(&lock, SM_LOCK_JOINABLE);
    struct handle *entry = find_handle(handle);
    entry->thread = thread;
    entry->state = JOINABLE;
    sm_unlock_word(&lock, SM_LOCK_JOINABLE);
}

/* Joined or detached, unless libc has reused the handle meanwhile. */
static void settle_handle(pthread_t handle, const struct sm_detect_thread *thread,
                          enum handle_state state)
{
    sm_lock_word(&lock, SM_LOCK_JOINABLE);
    struct handle *entry = find_handle(handle);
    if (entry->thread == thread)
        entry->state = state;
    sm_unlock_word(&lock, SM_LOCK_JOINABLE);
}

static enum sm_misuse misuse_of(const struct handle *entry, bool joins)
{
    if (!entry->thread)
        return SM_MISUSE_NONE;
    if (!joins)
        return entry->state == JOINABLE ? SM_MISUSE_NONE : SM_MISUSE_DETACH_AGAIN;
    return entry->state == JOINED     ? SM_MISUSE_JOIN_JOINED
           : entry->state == DETACHED ? SM_MISUSE_JOIN_DETACHED
                                      : SM_MISUSE_NONE;
}

/* The thread to be joined or detached; NULL: unknown, or already joined or detached. */
static struct sm_detect_thread *check_handle(pthread_t handle, bool joins)
{
    sm_lock_word(&lock, SM_LOCK_JOINABLE);
    struct handle entry = *find_handle(handle);
    sm_unlock_word(&lock, SM_LOCK_JOINABLE);
    sm_check_handle(misuse_of(&entry, joins), entry.thread);
    return entry.state == JOINABLE ? entry.thread : NULL;
}

/* ---- life of a thread ---- */

static pthread_key_t end_key;
static bool has_unseen; /* an unchecked thread was created */
static bool was_let_go; /* in a child process that is not checked */
static _Thread_local unsigned rounds;

/* The death of a robust mutex's owner is an unlock: the next thread to lock it gets EOWNERDEAD.
   Nobody can acquire the other locks the thread held. */
static void give_up_locks(const struct sm_detect_thread *thread)
{
    const struct sm_locks *locks = &thread->history->held;
    for (uint32_t i = 0; i < locks->n; i++)
        sm_release((const void *)locks->held[i].addr, SM_KEY_MAIN);
}

/* libc runs the destructors of keys in several rounds; ours waits for the last one, so that the
   accesses of other destructors still belong to the thread. */
static void end_thread(void *thread)
{
    if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        SM_REAL(pthread_setspecific)(end_key, thread);
        return;
    }
    sm_thread_take_cancel(thread);
    sm_check_end(thread);
    give_up_locks(thread);
    sm_thread_leave(thread);
}

static void let_go(void)
{
    was_let_go = true;
    sm_thread_forget();
}

/* In the child of a fork. If there were other threads the runtime is switched off: the locks they
   held, its own included, are never released. */
static void forked(void)
{
    sm_reports_forked();
    if (!sm_current)
        return;
    if (sm_thread_is_alone() && !__atomic_load_n(&has_unseen, __ATOMIC_RELAXED))
        sm_thread_forked(sm_current);
    else
        let_go();
}

/* Our handlers are the last that fork calls before it, so that what those of the program do counts,
   and the first in the child, so those of the program are checked. */
void sm_threads_init(void)
{
    pthread_atfork(sm_child_gives, NULL, forked);
    SM_REAL(pthread_key_create)(&end_key, end_thread);
    struct sm_detect_thread *thread = sm_thread_new(NULL);
    sm_thread_enter(thread);
    SM_REAL(pthread_setspecific)(end_key, thread); /* main may leave by pthread_exit, */
    add_handle(pthread_self(), thread);            /* and be joined */
}

/* The memory may have been another thread's stack; those accesses are irrelevant now. */
static void clear_stack(void)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (SM_REAL(pthread_getattr_np)(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0)
        sm_shadow_clear((uintptr_t)low, size);
    pthread_attr_destroy(&attributes);
}

/* Returns the previous mask. */
static uint64_t set_mask(uint64_t mask)
{
    uint64_t before = 0;
    sm_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, &before, sizeof mask);
    return before;
}

void sm_thread_adopt(void)
{
    if (sm_current || was_let_go)
        return;
    clear_stack();
    struct sm_detect_thread *thread = sm_thread_new(NULL);
    sm_thread_enter(thread);
    SM_REAL(pthread_setspecific)(end_key, thread);
}

static void *run_thread(void *started)
{
    struct sm_detect_thread *thread = started;
    clear_stack();
    sm_thread_enter(thread);
    SM_REAL(pthread_setspecific)(end_key, thread);
    set_mask(thread->mask);
    return thread->start(thread->argument);
}

/* A new thread may get the stack of one that has ended, joined or not. libc then frees that one's
   thread-local memory, which no other thread can use any more. */
static int create_for(struct sm_detect_thread *self, pthread_t *handle,
                      const pthread_attr_t *attributes, struct sm_detect_thread *thread)
{
    self->creates = true;
    int result = SM_REAL(pthread_create)(handle, attributes, run_thread, thread);
    self->creates = false;
    return result;
}

/* Signal handlers are checked once the thread is registered; until then, while its stack is
   cleared, signals are blocked. The program may have given the thread its own mask. */
static int create(pthread_t *handle, const pthread_attr_t *attributes,
                  struct sm_detect_thread *thread)
{
    sigset_t own;
    uint64_t before = set_mask(~0ul);
    bool has_own = attributes && pthread_attr_getsigmask_np(attributes, &own) == 0;
    thread->mask = has_own ? own.__val[0] : before;
    int result = create_for(sm_current, handle, attributes, thread);
    set_mask(before);
    return result;
}

static struct sm_detect_thread *prepare(void *(*start)(void *), void *argument)
{
    struct sm_detect_thread *self = sm_sync_enter();
    if (!self)
        return NULL;
    struct sm_detect_thread *thread = sm_thread_new(self);
    thread->start = start;
    thread->argument = argument;
    sm_history_trail(self->history, self->history->n, &thread->created);
    self->given++;
    sm_epoch_advance(self);
    sm_sync_leave(self);
    return thread;
}

static bool is_detached(const pthread_attr_t *attributes)
{
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

static void not_seen(void)
{
    __atomic_store_n(&has_unseen, true, __ATOMIC_RELAXED);
    if (was_let_go)
        sm_count_event(SM_DETECT_NOT_SEEN);
}

SM_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                             void *(*start)(void *), void *argument)
{
    struct sm_detect_thread *thread = prepare(start, argument);
    if (!thread)
        not_seen();
    int result = thread ? create(handle, attributes, thread)
                        : SM_REAL(pthread_create)(handle, attributes, start, argument);
    if (result == 0 && !is_detached(attributes)) /* else the handle may be reused already */
        add_handle(*handle, thread);
    return result;
}

static void joined(pthread_t handle, struct sm_detect_thread *thread)
{
    struct sm_detect_thread *self = sm_sync_enter();
    settle_handle(handle, thread, JOINED);
    if (thread && self)
        sm_thread_joined(self, thread);
    if (self)
        sm_sync_leave(self);
}

SM_EXPORT int pthread_join(pthread_t handle, void **value)
{
    struct sm_detect_thread *thread = check_handle(handle, true);
    if (thread && sm_current)
        sm_thread_joins(thread);
    int result = SM_REAL(pthread_join)(handle, value);
    if (result == 0)
        joined(handle, thread);
    else if (sm_current)
        sm_thread_joins(NULL);
    return result;
}

SM_EXPORT int pthread_tryjoin_np(pthread_t handle, void **value)
{
    struct sm_detect_thread *thread = check_handle(handle, true);
    int result = SM_REAL(pthread_tryjoin_np)(handle, value);
    if (result == 0)
        joined(handle, thread);
    return result;
}

SM_EXPORT int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until)
{
    struct sm_detect_thread *thread = check_handle(handle, true);
    int result = SM_REAL(pthread_timedjoin_np)(handle, value, until);
    if (result == 0)
        joined(handle, thread);
    return result;
}

/* The request is made after it has been noted: the thread may be gone when the call returns. */
SM_EXPORT int pthread_cancel(pthread_t handle)
{
    sm_lock_word(&lock, SM_LOCK_JOINABLE);
    struct sm_detect_thread *thread = find_handle(handle)->thread;
    sm_unlock_word(&lock, SM_LOCK_JOINABLE);
    struct sm_detect_thread *self = thread ? sm_sync_enter() : NULL;
    if (self && !__atomic_load_n(&thread->ended, __ATOMIC_ACQUIRE))
        sm_thread_cancel(self, thread);
    if (self)
        sm_sync_leave(self);
    return SM_REAL(pthread_cancel)(handle);
}

SM_EXPORT int pthread_detach(pthread_t handle)
{
    settle_handle(handle, check_handle(handle, false), DETACHED);
    return SM_REAL(pthread_detach)(handle);
}

/* The start function of threads.h has another type, hence this wrapper. */

struct c11_start {
    thrd_start_t start;
    void *argument;
};

static void *run_c11(void *argument)
{
    struct c11_start from = *(struct c11_start *)argument;
    sm_free(argument, sizeof from);
    return (void *)(intptr_t)from.start(from.argument);
}

SM_EXPORT int thrd_create(thrd_t *handle, thrd_start_t start, void *argument)
{
    struct c11_start *from = sm_alloc(sizeof *from);
    *from = (struct c11_start){start, argument};
    int result = pthread_create(handle, NULL, run_c11, from);
    return result == 0 ? thrd_success : result == ENOMEM ? thrd_nomem : thrd_error;
}

SM_EXPORT int thrd_join(thrd_t handle, int *value)
{
    void *result;
    if (pthread_join(handle, &result) != 0)
        return thrd_error;
    if (value)
        *value = (int)(intptr_t)result;
    return thrd_success;
}

SM_EXPORT int thrd_detach(thrd_t handle)
{
    return pthread_detach(handle) == 0 ? thrd_success : thrd_error;
}
