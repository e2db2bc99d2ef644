#include "verify/sync.h"

#include <errno.h>
#include <linux/futex.h>

#include "abi/control.h"
#include "runtime/engine.h"
#include "runtime/sched/sched.h"
#include "runtime/step.h"
#include "verify/explore.h"
#include "verify/loops/await.h"
#include "verify/loops/together.h"
#include "verify/run/spurious.h"
#include "verify/states/paths.h"

static const struct sm_object_operations *objects(void)
{
    return sm_paths_on() ? &sm_objects_states : &sm_objects_graph;
}

static int fail(int error, struct sm_event *event)
{
    event->kind = SM_EV_TRYLOCK_FAIL;
    sm_sync(event);
    return error;
}

/* Programs check the clock afterwards: std::condition_variable::wait_for() waits again until it has
   reached the deadline. */
static int expire(struct sm_limit limit)
{
    if (limit.error == ETIMEDOUT) /* which is an effect, as the time is */
        sm_await_busy(sm_running());
    if (limit.error == ETIMEDOUT && limit.deadline != SM_NO_DEADLINE)
        sm_time_leap(limit.deadline);
    return limit.error;
}

static int operate_on(const struct sm_explored_op *what, struct sm_limit limit,
                      struct sm_event *event)
{
    if (objects()->operate(event, what) == SM_STEP_FAILS)
        return fail(expire(limit), event);
    sm_sync(event);
    return 0;
}

/* A lock with a time limit times out where it would have to wait. */
static int operate(enum sm_object_op op, struct sm_limit limit, struct sm_event *event)
{
    return operate_on(&(struct sm_explored_op){.op = op, .try = limit.error}, limit, event);
}

static void release(struct sm_event *event, uint64_t state)
{
    objects()->release(event, state);
    sm_sync(event);
}

/* ---- mutexes ---- */

static bool has_owner(const pthread_mutex_t *mutex)
{
    return sm_mutex_type(mutex) != SM_MUTEX_NORMAL;
}

static int mutex_lock(pthread_mutex_t *mutex, struct sm_limit limit, struct sm_event *event)
{
    if (sm_mutex_is_robust(mutex))
        sm_engine_require(SM_FEATURE_ROBUST_MUTEX);
    enum sm_mutex_type type = sm_mutex_type(mutex);
    uint32_t *depth = has_owner(mutex) ? sm_explore_depth(mutex) : NULL;
    if (depth && *depth)
        sm_explore_iteration_effect();
    if (depth && *depth)
        return sm_mutex_relock(type, depth) == SM_STEP_TAKES
                   ? 0
                   : sm_mutex_relock_error(type, limit.error == EBUSY);
    uint64_t together = sm_together_since(event);
    struct sm_explored_op lock = {
        .op = SM_DO_LOCK, .try = limit.error && !together, .arg = together};
    int error = operate_on(&lock, limit, event);
    sm_spurious_locks(event, limit.error);
    if (!error && depth)
        *sm_explore_depth(mutex) = 1; /* it may have moved */
    return error;
}

static int mutex_lock_again(pthread_mutex_t *mutex, struct sm_event *event)
{
    return mutex_lock(mutex, SM_FOREVER, event);
}

static int mutex_unlock(pthread_mutex_t *mutex, struct sm_event *event)
{
    uint32_t *depth = has_owner(mutex) ? sm_explore_depth(mutex) : NULL;
    switch (sm_mutex_unlock_step(sm_mutex_type(mutex), depth)) {
    case SM_STEP_FAILS:
        return EPERM;
    case SM_STEP_TAKES:
        release(event, SM_OBJECT_FREE);
        return 0;
    default:
        sm_explore_iteration_effect();
        return 0;
    }
}

static bool mutex_may_unlock(const pthread_mutex_t *mutex)
{
    return !has_owner(mutex) || *sm_explore_depth(mutex);
}

static const struct sm_mutex_operations mutexes = {mutex_lock, mutex_lock_again, mutex_unlock,
                                                   mutex_may_unlock};

/* ---- read-write locks: sm_explore_depth tells whether the thread holds it for writing ---- */

static int rwlock_lock(pthread_rwlock_t *lock, bool writes, struct sm_limit limit,
                       struct sm_event *event)
{
    if (sm_rwlock_prefers_writers(lock))
        sm_engine_require(SM_FEATURE_WRITER_PREFERENCE);
    if (*sm_explore_depth(lock))
        return fail(limit.error == EBUSY ? EBUSY : EDEADLK, event);
    if (objects()->rwlock_lock(event, writes, limit.error) == SM_STEP_FAILS)
        return fail(expire(limit), event);
    *sm_explore_depth(lock) = writes;
    sm_sync(event);
    return 0;
}

static int read_lock(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    return rwlock_lock(lock, false, limit, event);
}

static int write_lock(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    return rwlock_lock(lock, true, limit, event);
}

static int rwlock_unlock(pthread_rwlock_t *lock, void *pc)
{
    bool writes = *sm_explore_depth(lock);
    struct sm_event event =
        sm_sync_event(writes ? SM_EV_WRITE_UNLOCK : SM_EV_READ_UNLOCK, lock, writes ? 0 : 1, pc);
    *sm_explore_depth(lock) = 0;
    objects()->rwlock_unlock(&event, writes);
    sm_sync(&event);
    return 0;
}

static const struct sm_rwlock_operations rwlocks = {read_lock, write_lock, rwlock_unlock};

/* ---- spin locks ---- */

static int spin_lock(pthread_spinlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    (void)lock;
    return operate(SM_DO_SPIN, limit, event);
}

static void spin_unlock(pthread_spinlock_t *lock, struct sm_event *event)
{
    (void)lock;
    release(event, SM_OBJECT_FREE);
}

static const struct sm_spin_operations spins = {spin_lock, spin_unlock};

/* ---- conditions ---- */

/* Returns 0, or the error if the time limit has passed. */
static int leave(struct sm_limit limit, const struct sm_spurious_wait *wait, struct sm_event *event)
{
    bool timed = limit.error, spurious = !timed && sm_spurious_ends(wait), woken = true;
    if (timed || spurious)
        woken = objects()->cond_leave_timed(event);
    else
        objects()->cond_leave(event);
    event->thread->wait_mutex = NULL;
    if (timed && !woken)
        spurious = sm_spurious_ends(wait);
    if (spurious)
        sm_spurious_ended(wait, woken);
    else
        sm_spurious_is_over(wait);
    event->old = woken || spurious ? SM_WOKEN : SM_TIMED_OUT;
    return woken || spurious ? 0 : expire(limit);
}

/* The graph determines which signal wakes the thread, whether a timed wait ends before one does,
   and whether a wait ends for no reason. */
static int cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct sm_limit limit,
                     struct sm_event *event)
{
    void *pc = (void *)event->pc;
    if (limit.error == EINVAL)
        return EINVAL;
    if (!mutex_may_unlock(mutex))
        return EPERM;
    const struct sm_spurious_wait wait = sm_spurious_waits(event, mutex);
    if (sm_exploring != SM_EXPLORE_ALL) /* else the progress of other threads is not known */
        event->thread->wait_mutex = mutex;
    objects()->cond_enter(event);
    sm_sync(event);
    int error = sm_mutex_unlock(mutex, pc);
    if (error)
        return error;
    *event = sm_sync_event(SM_EV_WAKE, cond, SM_WOKEN, pc);
    int expired = leave(limit, &wait, event);
    sm_sync(event);
    error = sm_mutex_lock_again(mutex, pc);
    return error ? error : expired;
}

static void cond_signal(pthread_cond_t *cond, struct sm_event *event)
{
    (void)cond;
    objects()->cond_signal(event);
    sm_sync(event);
}

static void cond_broadcast(pthread_cond_t *cond, struct sm_event *event)
{
    objects()->cond_broadcast(event);
    sm_sync(event);
    sm_wake_all(cond);
}

static void cond_drain(pthread_cond_t *cond, struct sm_event *event)
{
    if (!objects()->cond_drain(event))
        sm_cond_sampling.drain(cond, event);
}

static const struct sm_cond_operations conds = {cond_wait, cond_signal, cond_broadcast, cond_drain};

/* ---- barriers ---- */

static bool depart(struct sm_event *event, bool last)
{
    (void)last;
    return objects()->barrier_depart(event);
}

static bool arrive(struct sm_event *event, uint32_t needed, bool looks)
{
    return objects()->barrier_arrive(event, needed, looks);
}

static void barrier_renew(struct sm_event *event)
{
    objects()->barrier_renew(event);
}

static const struct sm_barrier_operations barriers = {arrive, depart, barrier_renew};

/* ---- semaphores ---- */

static int sem_operate(sem_t *sem, enum sm_object_op op, int error, struct sm_event *event)
{
    struct sm_explored_op what = {
        .op = op, .try = error, .initial = (uint64_t)sm_sem_native_value(sem)};
    if (objects()->operate(event, &what) == SM_STEP_FAILS)
        return fail(error, event);
    sm_sync(event);
    return 0;
}

static int sem_wait_for(sem_t *sem, struct sm_limit limit, struct sm_event *event)
{
    int error = sem_operate(sem, SM_DO_SEM_WAIT, limit.error, event);
    return error ? expire(limit) : 0;
}

static int sem_post_to(sem_t *sem, struct sm_event *event)
{
    return sem_operate(sem, SM_DO_SEM_POST, EOVERFLOW, event);
}

static int sem_value(sem_t *sem, struct sm_event *event)
{
    return (int)objects()->sem_value(event, (uint64_t)sm_sem_native_value(sem));
}

static void sem_renew(sem_t *sem, struct sm_event *event)
{
    objects()->renew(event, (uint64_t)sm_sem_native_value(sem));
}

static const struct sm_sem_operations sems = {sem_wait_for, sem_post_to, sem_value, sem_renew};

/* ---- once ---- */

static bool begin(const void *once, uint64_t state, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, once, 0, pc);
    struct sm_explored_op op = {.op = SM_DO_ONCE, .initial = state};
    bool runs = objects()->operate(&event, &op) == SM_STEP_TAKES;
    sm_sync(&event);
    return runs;
}

static void end(const void *once, bool done, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ONCE_DONE, once, 0, pc);
    release(&event, done ? SM_ONCE_DONE : SM_ONCE_NEW);
}

static bool once_begin(pthread_once_t *once, void *pc)
{
    return begin(once, sm_once_native_state(once), pc);
}

static void once_end(pthread_once_t *once, bool done, void *pc)
{
    end(once, done, pc);
}

static bool guard_begin(uint64_t *guard, void *pc)
{
    return begin(guard, *guard & 1 ? SM_ONCE_DONE : SM_ONCE_NEW, pc);
}

static void guard_end(uint64_t *guard, bool done, void *pc)
{
    if (done)
        sm_guard_set(guard, pc);
    end(guard, done, pc);
}

static const struct sm_once_operations onces = {once_begin, once_end, guard_begin, guard_end};

/* ---- atomic sections: see graph/order.h ---- */

static void section_begin(pthread_mutex_t *section, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_LOCK, section, 0, pc);
    if (!(*sm_explore_depth(section))++)
        operate(SM_DO_BLOCK, SM_FOREVER, &event);
}

static void section_end(pthread_mutex_t *section, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_UNLOCK, section, 0, pc);
    uint32_t *depth = sm_explore_depth(section);
    if (*depth && !--*depth)
        release(&event, SM_OBJECT_FREE);
}

static const struct sm_section_operations sections = {section_begin, section_end};

/* ---- futexes ----
 * futex(2) allows spurious wake-ups, so a caller checks the word again. Here a wait is a spin loop
 * (loops/await.h) that ends when the word has changed. So everything that a caller may find after
 * waking is among the executions; a missing FUTEX_WAKE is not detected. The call returns 0, as if
 * the thread had slept, which does not set errno. A wait with a time limit times out where it would
 * have to wait. */

static const struct sm_site futex_site = {.file = "?",
                                          .function = "syscall",
                                          .variable = "futex",
                                          .kind = SM_SITE_ATOMIC_LOAD,
                                          .size = sizeof(uint32_t),
                                          .order = SM_ORDER_RELAXED};

static uint32_t value_of(const uint32_t *word, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ATOMIC_LOAD, word, 0, pc);
    event.site = &futex_site;
    event.size = sizeof *word;
    event.order = SM_ORDER_RELAXED; /* the kernel guarantees none */
    sm_step(&event);
    return (uint32_t)event.value;
}

static long await(const struct sm_futex_call *call, void *pc)
{
    while (value_of(call->word, pc) == call->value)
        if (call->time)
            return -ETIMEDOUT;
    return 0;
}

static long futex(const struct sm_futex_call *call, struct sm_event *event)
{
    switch (call->operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return await(call, (void *)event->pc);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return 0; /* no thread stays blocked in a wait */
    default:
        sm_sync_refuse(SM_EV_SYSCALL);
    }
}

static const struct sm_futex_operations futexes = {futex};

const struct sm_sync_operations sm_sync_verify = {
    .mutex = &mutexes,
    .rwlock = &rwlocks,
    .spin = &spins,
    .cond = &conds,
    .barrier = &barriers,
    .sem = &sems,
    .once = &onces,
    .section = &sections,
    .futex = &futexes,
};

bool sm_sync_is_waiting(uint8_t kind)
{
    return kind == SM_EV_FENCE || kind == SM_EV_YIELD || kind == SM_EV_SLEEP ||
           kind == SM_EV_ENTER || kind == SM_EV_LEAVE;
}

bool sm_sync_is_modelled(uint8_t kind)
{
    switch (kind) {
    case SM_EV_LOCK:
    case SM_EV_UNLOCK:
    case SM_EV_TRYLOCK_FAIL:
    case SM_EV_INIT:
    case SM_EV_READ_LOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_LOCK:
    case SM_EV_WRITE_UNLOCK:
    case SM_EV_WAIT:
    case SM_EV_WAKE:
    case SM_EV_SIGNAL:
    case SM_EV_BROADCAST:
    case SM_EV_ARRIVE:
    case SM_EV_DEPART:
    case SM_EV_SEM_POST:
    case SM_EV_SEM_WAIT:
    case SM_EV_ONCE_DONE:
    case SM_EV_ONCE_PASS:
    case SM_EV_YIELD:
    case SM_EV_SLEEP:
    case SM_EV_SYSCALL:
    case SM_EV_CHOOSE:
    case SM_EV_ENTER:
    case SM_EV_LEAVE:
    case SM_EV_UNIT_BEGIN:
    case SM_EV_UNIT_END:
        return true;
    default:
        return false;
    }
}

_Noreturn void sm_sync_refuse(uint8_t kind)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "abi/events.def"
    };
    bool passes = kind == SM_EV_HAPPENS_BEFORE || kind == SM_EV_HAPPENS_AFTER;
    const char *what = passes               ? "a pipe, socket or queue"
                       : kind == SM_EV_KILL ? "signals or pthread_cancel()"
                                            : words[kind];
    sm_end(SM_END_REFUSED, 0,
           "verify: the program uses '%s', of which verify does not explore every order; it knows "
           "memory accesses, fences, and what pthread.h, threads.h and semaphore.h wait for",
           what);
}
