#include "native/order.h"

#include <pthread.h>

#include "base/module.h"
#include "core/lock_order.h"
#include "core/objects/misuse.h"
#include "native/blocks.h"
#include "native/counters.h"
#include "native/finding.h"
#include "native/report.h"
#include "native/sync.h"

bool sm_order_on;

static struct sm_lock_order order; /* under the lock of reports, like all it points to */

void sm_order_keep_before(struct sm_detect_thread *thread)
{
    sm_clock_copy(&thread->before, &thread->seen);
    thread->ordered = false;
}

/* ---- locks ---- */

/* 0: the lock cannot be distinguished from others at its address. A spin lock has no room for a
   number. */
static uint64_t key_of(uintptr_t lock, uint32_t how)
{
    uint64_t *mark = NULL;
    if ((how & SM_HOLD_KIND) == SM_HOLD_MUTEX)
        mark = sm_mutex_mark((pthread_mutex_t *)lock);
    else if ((how & SM_HOLD_KIND) == SM_HOLD_RWLOCK)
        mark = sm_rwlock_mark((pthread_rwlock_t *)lock);
    return mark ? sm_order_key(lock, sm_mark_number(mark)) : 0;
}

/* The memory may have been freed with the lock held and hold anything now: it is only read, unless
   it is a mutex owned by this thread. Another thread may also have unlocked it. */
static uint64_t key_of_mutex(uintptr_t addr)
{
    pthread_mutex_t mutex;
    bool ours =
        sm_memory_copy(&mutex, addr, sizeof mutex) && mutex.__data.__owner == sm_current->kernel_id;
    return ours ? key_of(addr, SM_HOLD_MUTEX) : 0;
}

/* It got its number when it was acquired. */
static uint64_t key_of_rwlock(uintptr_t addr)
{
    pthread_rwlock_t lock;
    const uint64_t *mark = sm_memory_copy(&lock, addr, sizeof lock) ? sm_rwlock_mark(&lock) : NULL;
    uint32_t number = mark ? sm_mark_known_number(mark) : 0;
    return number ? sm_order_key(addr, number) : 0;
}

static uint64_t key_of_held(const struct sm_lock *lock)
{
    switch (lock->how & SM_HOLD_KIND) {
    case SM_HOLD_MUTEX:
        return key_of_mutex(lock->addr);
    case SM_HOLD_RWLOCK:
        return key_of_rwlock(lock->addr);
    default:
        return 0;
    }
}

/* False: there is nothing to add. */
static bool describe_locks(uintptr_t lock, uint32_t how, struct sm_order_shape *shape,
                           struct sm_order_use *use)
{
    const struct sm_locks *held = &sm_own.history->held;
    shape->wanted = (struct sm_order_lock){key_of(lock, how), how & SM_HOLD_SHARED};
    for (uint32_t i = 0; i < held->n; i++) {
        const struct sm_lock *own = &held->held[i];
        if (own->addr == lock)
            return false; /* recursive acquisition */
        uint64_t key = key_of_held(own);
        if (!key)
            continue;
        use->taken[shape->n_held] = (uintptr_t)own->taken;
        shape->held[shape->n_held++] = (struct sm_order_lock){key, own->how & SM_HOLD_SHARED};
    }
    return shape->wanted.key && shape->n_held;
}
_Static_assert((int)SM_LOCKS_MAX <= (int)SM_ORDER_HELD, "there is room for all");

/* ---- stacks ---- */

struct kept_trail {
    uint32_t n;
    const struct sm_site *frames[];
};

static size_t trail_size(uint32_t n)
{
    return sizeof(struct kept_trail) + n * sizeof(struct sm_site *);
}

static struct kept_trail *keep_trail(const struct sm_detect_thread *thread)
{
    struct sm_trail trail;
    sm_history_trail(thread->history, thread->history->n, &trail);
    struct kept_trail *kept = sm_alloc(trail_size(trail.n));
    kept->n = trail.n;
    for (uint32_t i = 0; i < trail.n; i++)
        kept->frames[i] = trail.frames[i];
    return kept;
}

static void free_use(const struct sm_order_use *use)
{
    struct kept_trail *kept = (struct kept_trail *)use->where;
    sm_free(kept, trail_size(kept->n));
}

/* ---- reports ---- */

static void name_lock(uint64_t key, char *to, size_t size)
{
    const struct sm_global *global = sm_global_at(sm_order_address(key));
    if (global)
        sm_format(to, size, "'%s'", global->name);
    else
        sm_format(to, size, "the lock at 0x%lx", (unsigned long)sm_order_address(key));
}

static void describe_step(const struct sm_order_step *step, struct sm_harm_side *side)
{
    const struct kept_trail *kept = (const struct kept_trail *)step->use->where;
    struct sm_trail trail = {.n = kept->n};
    for (uint32_t i = 0; i < kept->n; i++)
        trail.frames[i] = kept->frames[i];
    *side = (struct sm_harm_side){.role = SM_ROLE_LOCKED,
                                  .object = sm_order_address(step->shape->wanted.key)};
    side->side.thread = sm_thread_of_time(step->use->slot, step->use->time);
    sm_side_of_trail(&side->side, &trail);
    struct sm_locks *locks = &side->side.locks;
    for (uint32_t i = 0; i < step->shape->n_held; i++)
        locks->held[locks->n++] = (struct sm_lock){sm_order_address(step->shape->held[i].key),
                                                   (const struct sm_site *)step->use->taken[i], 0};
}

/* "'a' is locked under 'b', and 'b' under 'a'" */
static void tell(const struct sm_order_cycle *cycle, char *to, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < cycle->n; i++) {
        const struct sm_order_step *step = &cycle->steps[i];
        char wanted[128], held[128];
        name_lock(step->shape->wanted.key, wanted, sizeof wanted);
        name_lock(step->shape->held[step->holds].key, held, sizeof held);
        used += sm_format(to + used, size - used, "%s%s is locked under %s", i ? ", " : "", wanted,
                          held);
    }
    sm_format(to + used, size - used, ": the threads can wait for each other for ever");
}

static void report(const struct sm_order_cycle *cycle)
{
    static struct sm_detected_harm harm; /* under the lock */
    harm = (struct sm_detected_harm){.kind = SM_FAILURE_LOCK_ORDER, .n = cycle->n};
    for (uint32_t i = 0; i < cycle->n; i++)
        describe_step(&cycle->steps[i], &harm.sides[i]);
    tell(cycle, harm.detail, sizeof harm.detail);
    sm_harm_found(&harm);
}
_Static_assert((int)SM_HARM_SIDES >= (int)SM_ORDER_LONGEST, "there is room for all");

/* ---- a thread holds locks and acquires another ---- */

/* What the thread has added, by a hash of the locks. It is added again, up to 16 times, if the
   thread has released to others since (`given`): later uses are ordered with less. */
struct sm_order_seen {
    uint64_t locks;
    uint32_t given, times;
};
#define ORDERS_SEEN 64

static uint64_t hash_locks(uintptr_t lock, uint32_t how)
{
    const struct sm_locks *held = &sm_own.history->held;
    uint64_t hash = (lock + how) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < held->n; i++)
        hash = (hash + held->held[i].addr) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static bool is_known(struct sm_detect_thread *thread, uintptr_t lock, uint32_t how)
{
    enum { OFTEN = 16 };
    uint64_t hash = hash_locks(lock, how);
    if (!thread->order_seen)
        thread->order_seen = sm_alloc(ORDERS_SEEN * sizeof *thread->order_seen);
    struct sm_order_seen *seen = &thread->order_seen[hash % ORDERS_SEEN];
    if (seen->locks != hash)
        *seen = (struct sm_order_seen){hash, thread->given, 0};
    else if (seen->given == thread->given || seen->times == OFTEN)
        return true;
    seen->given = thread->given;
    seen->times++;
    return false;
}

static void add(struct sm_detect_thread *thread, uintptr_t lock, uint32_t how)
{
    struct sm_order_shape shape = {.n_held = 0};
    struct sm_order_use use = {.thread = thread->id,
                               .slot = thread->slot,
                               .time = sm_clock_get(&thread->seen, thread->slot),
                               .before = thread->before};
    struct sm_order_cycle cycle;
    if (!describe_locks(lock, how, &shape, &use))
        return;
    use.where = (uintptr_t)keep_trail(thread);
    switch (sm_lock_order_add(&order, &shape, &use, free_use, &cycle)) {
    case SM_ORDER_CYCLE:
        report(&cycle);
        break;
    case SM_ORDER_FULL:
        free_use(&use);
        sm_count_event(SM_DETECT_NO_ORDER);
        break;
    default:
        break;
    }
}

void sm_order_nested(uintptr_t lock, uint32_t how)
{
    struct sm_detect_thread *thread = sm_current;
    if (thread->busy || is_known(thread, lock, how))
        return;
    thread->busy = true;
    if (thread->ordered)
        sm_order_keep_before(thread);
    sm_reports_lock();
    sm_order_on = true;
    add(thread, lock, how);
    sm_reports_unlock();
    thread->busy = false;
}
