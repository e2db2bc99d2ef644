/*
 * epoch.c - see epoch.h.
 */
#include "native/epoch.h"

#include "base/sys.h"
#include "native/counters.h"
#include "native/kept.h"
#include "native/lock.h"
#include "native/paths.h"
#include "native/report.h"
#include "native/window.h"

/* One cache line each: the thread of a slot writes it at every release. */
struct slot {
    uint32_t time;                   /* of its current or last thread */
    uint32_t epoch;                  /* the number of (slot, time) */
    uint32_t first, end;             /* its run of epochs */
    struct sm_detect_thread *thread; /* its newest thread */
} __attribute__((aligned(64)));

struct sm_block sm_blocks[SM_BLOCKS];
bool sm_clocks_exact = true;
uint32_t sm_settled, sm_settled_times[SM_CLOCK_LINE];
__thread struct sm_detect_thread *sm_current;
__thread struct sm_own sm_own = {.history = &sm_history_of_nobody};

static struct slot slots[SM_SLOTS];
static uint32_t n_slots, n_blocks = 1; /* block 0 is unused: epoch 0 means none */
static uint32_t free_slots[SM_SLOTS], n_free_slots;
static uint32_t n_threads, lock; /* of these tables */
static uint32_t n_unjoined;      /* threads, the initial one included */

/* No mark may have the last short epoch (cell.h). */
static bool is_reserved(uint32_t block)
{
    return (block + 1) * SM_EPOCH_BLOCK % SM_SHORT_EPOCHS == 0;
}

/* The blocks of the slot's next run, the first of which is `block`: twice what it used of its last
   one, which may have been abandoned early. */
static uint32_t run_length(const struct slot *slot, uint32_t block)
{
    uint32_t n = (slot->epoch + 1 - slot->first) / SM_EPOCH_BLOCK * 2, i = 1;
    while (i < n && i < SM_RUN_BLOCKS && !is_reserved(block + i))
        i++;
    return i;
}

/* Numbers of blocks that nobody else gets; false if none are left. */
static bool take_blocks(const struct slot *slot, uint32_t *block, uint32_t *n)
{
    uint32_t from = __atomic_load_n(&n_blocks, __ATOMIC_RELAXED);
    do {
        *block = from + is_reserved(from);
        *n = run_length(slot, *block);
        if (*block + *n > SM_BLOCKS)
            return false;
    } while (!__atomic_compare_exchange_n(&n_blocks, &from, *block + *n, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return true;
}

/* The slot's epoch at its time. Its block may begin there; of a run that is left early the other
   blocks stand for no time. */
static void set_epoch(uint32_t number, uint32_t epoch)
{
    if (epoch % SM_EPOCH_BLOCK == 0)
        sm_blocks[epoch / SM_EPOCH_BLOCK] = (struct sm_block){number, slots[number].time};
    /* release: a thread that reads the epoch from a cell also sees its block; x86 orders the
       stores */
    __atomic_store_n(&slots[number].epoch, epoch, __ATOMIC_RELEASE);
}

/* A new run that begins at the slot's time; false if none is left. */
static bool take_run(uint32_t number)
{
    struct slot *slot = &slots[number];
    uint32_t block, n;
    if (!take_blocks(slot, &block, &n) || !sm_window_reach((block + n) * SM_EPOCH_BLOCK)) {
        __atomic_store_n(&n_blocks, SM_BLOCKS, __ATOMIC_RELAXED);
        return false;
    }
    slot->first = block * SM_EPOCH_BLOCK;
    slot->end = slot->first + n * SM_EPOCH_BLOCK;
    set_epoch(number, slot->first);
    return true;
}

static bool slot_advance(uint32_t slot)
{
    uint32_t next = slots[slot].epoch + 1;
    slots[slot].time++;
    if (next < slots[slot].end && next > sm_settled &&
        next >= __atomic_load_n(&sm_marks_from, __ATOMIC_RELAXED)) {
        set_epoch(slot, next);
        return true;
    }
    if (take_run(slot))
        return true;
    slots[slot].time--;
    sm_clocks_exact = false;
    sm_count_event(SM_DETECT_NO_EPOCHS);
    return false;
}

static bool take_free_slot(const struct sm_detect_thread *parent, uint32_t *slot)
{
    enum { SLOT_TRIES = 64 };
    for (uint32_t i = n_free_slots; i > 0 && i + SLOT_TRIES > n_free_slots; i--) {
        *slot = free_slots[i - 1];
        if (!parent || sm_clock_get(&parent->seen, *slot) < slots[*slot].time)
            continue;
        free_slots[i - 1] = free_slots[--n_free_slots];
        return slot_advance(*slot);
    }
    return false;
}

static uint32_t take_slot(const struct sm_detect_thread *parent)
{
    uint32_t slot;
    if (take_free_slot(parent, &slot))
        return slot;
    if (n_slots < SM_SLOTS) {
        slot = n_slots++;
        slots[slot].time = 1;
        if (take_run(slot))
            return slot;
    }
    sm_clocks_exact = false;
    sm_count_event(SM_DETECT_NO_SLOTS);
    return n_threads % n_slots;
}

struct sm_detect_thread *sm_thread_new(struct sm_detect_thread *parent)
{
    struct sm_detect_thread *thread = sm_alloc(sizeof *thread);
    thread->history = &sm_history_of_nobody;
    sm_lock_word(&lock, SM_LOCK_THREADS);
    if (n_unjoined++ == 1 && parent)
        __atomic_store_n(&sm_settled, sm_own.epoch, __ATOMIC_RELAXED);
    thread->id = n_threads++;
    thread->slot = take_slot(parent);
    struct slot *slot = &slots[thread->slot];
    thread->previous = slot->thread;
    slot->thread = thread;
    thread->first_time = slot->time;
    thread->last_time = UINT32_MAX;
    sm_clock_reserve(&thread->seen, SM_CLOCK_LINE);
    if (parent)
        sm_clock_copy(&thread->seen, &parent->seen);
    sm_clock_set(&thread->seen, thread->slot, thread->first_time);
    sm_unlock_word(&lock, SM_LOCK_THREADS);
    thread->parent = parent;
    thread->ordered = true;
    return thread;
}

static struct sm_cell in_all_lanes(uint32_t value)
{
    return (struct sm_cell){.mark = {value, value, value, value}};
}

/* The slot's current epoch becomes that of the running thread. */
static void begin_epoch(const struct slot *slot)
{
    uint32_t all = sm_mark_of(slot->epoch, true, SM_MARK_BYTES);
    uint32_t first = sm_mark_of(slot->first, false, 0);
    sm_own.epoch = slot->epoch;
    sm_own.first = first;
    sm_own.all = in_all_lanes(all);
    sm_own.before = in_all_lanes(first + SM_LANE_SHIFT);
    sm_own.reach = in_all_lanes(all - first - SM_LANE_SHIFT);
}

void sm_thread_resume(struct sm_detect_thread *thread)
{
    thread->kernel_id = (int32_t)sm_syscall(SYS_gettid);
    sm_current = thread;
    sm_own.history = thread->history;
    sm_own.lane = sm_lane_of(thread->slot);
    begin_epoch(&slots[thread->slot]);
}

void sm_thread_enter(struct sm_detect_thread *thread)
{
    thread->history = sm_map(NULL, sizeof *thread->history);
    sm_thread_resume(thread);
    sm_own.exact = SM_EXACT;
    sm_history_add(thread->history, SM_HISTORY_EPOCH, sm_own.epoch, NULL);
}

/* The histories of ended threads are kept for a while: a race with the last accesses of a thread
   may be found after its end. */
#define REMEMBERED 256

static struct sm_detect_thread *remembered[REMEMBERED];
static uint32_t n_remembered;

static void remember(struct sm_detect_thread *thread)
{
    struct sm_call_history *goes = NULL;
    sm_reports_lock(); /* no report reads the history that is freed, or finds it later */
    struct sm_detect_thread **place = &remembered[n_remembered++ % REMEMBERED];
    if (*place) {
        goes = (*place)->history;
        (*place)->history = &sm_history_of_nobody;
    }
    *place = thread;
    sm_reports_unlock();
    if (goes)
        sm_syscall(SYS_munmap, goes, sizeof *goes);
}

void sm_thread_forget(void)
{
    sm_own.epoch = 0;
    sm_own.history = &sm_history_of_nobody;
    sm_current = NULL;
}

void sm_thread_leave(struct sm_detect_thread *thread)
{
    sm_thread_forget();
    sm_thread_end(thread);
}

void sm_thread_forked(struct sm_detect_thread *thread)
{
    thread->forked_id = thread->kernel_id;
    sm_thread_resume(thread);
}

bool sm_thread_is_alone(void)
{
    return n_unjoined == 1;
}

void sm_thread_end(struct sm_detect_thread *thread)
{
    thread->last_time = sm_clock_get(&thread->seen, thread->slot);
    sm_kept_end(thread);
    remember(thread);
    /* release: the joining thread sees `seen` */
    __atomic_store_n(&thread->ended, true, __ATOMIC_RELEASE);
}

static void free_clocks(struct sm_detect_thread *thread)
{
    sm_clock_clear(&thread->seen);
    sm_clock_clear(&thread->released);
    sm_clock_clear(&thread->to_acquire);
    sm_clock_clear(&thread->before);
    sm_clock_clear(&thread->cancel);
}

void sm_thread_joined(struct sm_detect_thread *joiner, struct sm_detect_thread *thread)
{
    if (!__atomic_load_n(&thread->ended, __ATOMIC_ACQUIRE)) /* pairs with sm_thread_end */
        return;
    sm_clock_join(&joiner->seen, &thread->seen);
    joiner->ordered = true;
    sm_lock_word(&lock, SM_LOCK_THREADS);
    n_unjoined--;
    if (slots[thread->slot].thread == thread)
        free_slots[n_free_slots++] = thread->slot;
    joiner->joins = NULL;
    free_clocks(thread); /* under the lock: sm_threads_settle reads them */
    sm_unlock_word(&lock, SM_LOCK_THREADS);
}

/* ---- cancellation ---- */

void sm_thread_cancel(struct sm_detect_thread *canceller, struct sm_detect_thread *thread)
{
    sm_lock_word(&lock, SM_LOCK_THREADS);
    sm_clock_join(&thread->cancel, &canceller->seen);
    __atomic_store_n(&thread->cancelled, true, __ATOMIC_RELEASE);
    sm_unlock_word(&lock, SM_LOCK_THREADS);
    canceller->given++;
    sm_epoch_advance(canceller);
}

void sm_thread_acquire_cancel(struct sm_detect_thread *thread)
{
    sm_lock_word(&lock, SM_LOCK_THREADS);
    sm_clock_join(&thread->seen, &thread->cancel);
    thread->cancelled = false;
    sm_unlock_word(&lock, SM_LOCK_THREADS);
    thread->ordered = true;
}

/* ---- what every thread has seen ---- */

void sm_thread_joins(const struct sm_detect_thread *thread)
{
    sm_lock_word(&lock, SM_LOCK_THREADS);
    sm_current->joins = thread;
    sm_unlock_word(&lock, SM_LOCK_THREADS);
}

/* What the thread will have seen of a slot when it next accesses memory. One that waits in
   pthread_join will have seen all that the other thread has seen by then. */
static uint32_t will_have_seen(const struct sm_detect_thread *thread, uint32_t slot)
{
    uint32_t time = 0;
    for (uint32_t i = 0; thread && i < SM_CLOCK_LINE; i++, thread = thread->joins) {
        uint32_t seen = sm_clock_get(&thread->seen, slot);
        time = seen > time ? seen : time;
    }
    return time;
}

/* Without the current epoch of the slot's own thread: its marks are still those that the inline
   checks look for. Threads change their clocks meanwhile: entries only grow, and an old value
   settles less. With at most SM_CLOCK_LINE slots no clock is reallocated. */
static uint32_t seen_by_all(uint32_t slot)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < n_slots; i++) {
        const struct sm_detect_thread *thread = slots[i].thread;
        if (!thread || __atomic_load_n(&thread->ended, __ATOMIC_ACQUIRE))
            continue;
        uint32_t time = will_have_seen(thread, slot) - (i == slot);
        least = time < least ? time : least;
    }
    return least;
}

bool sm_threads_settle(struct sm_detect_thread *self)
{
    bool changed = false;
    if (self->settled_in == sm_own.epoch || n_slots > SM_CLOCK_LINE)
        return false;
    self->settled_in = sm_own.epoch;
    sm_lock_word(&lock, SM_LOCK_THREADS);
    for (uint32_t slot = 0; slot < n_slots && n_slots <= SM_CLOCK_LINE; slot++) {
        uint32_t time = seen_by_all(slot);
        if (time <= sm_settled_times[slot])
            continue;
        __atomic_store_n(&sm_settled_times[slot], time, __ATOMIC_RELAXED);
        changed = true;
    }
    sm_unlock_word(&lock, SM_LOCK_THREADS);
    return changed;
}

const struct sm_detect_thread *sm_thread_numbered(uint32_t id)
{
    for (uint32_t i = 0; i < n_slots; i++)
        for (const struct sm_detect_thread *thread = slots[i].thread; thread;
             thread = thread->previous)
            if (thread->id == id)
                return thread;
    return NULL;
}

uint32_t sm_thread_slots(void)
{
    return __atomic_load_n(&n_slots, __ATOMIC_RELAXED);
}

struct sm_detect_thread *sm_thread_in_slot(uint32_t slot)
{
    return __atomic_load_n(&slots[slot].thread, __ATOMIC_RELAXED);
}

const struct sm_detect_thread *sm_thread_of_time(uint32_t slot, uint32_t time)
{
    const struct sm_detect_thread *thread = slots[slot].thread;
    while (thread->previous && time < thread->first_time)
        thread = thread->previous;
    return thread;
}

const struct sm_detect_thread *sm_thread_of_epoch(uint32_t epoch)
{
    return sm_thread_of_time(sm_epoch_slot(epoch), sm_epoch_time(epoch));
}

static bool has_taken(const struct sm_detect_thread *thread, uintptr_t addr, struct sm_lock *taken)
{
    const struct sm_locks *held = &thread->history->held;
    for (uint32_t i = 0; i < held->n && i < SM_LOCKS_MAX; i++)
        if (held->held[i].addr == addr) {
            *taken = held->held[i];
            return true;
        }
    return false;
}

const struct sm_detect_thread *sm_thread_holding(uintptr_t addr, struct sm_lock *taken)
{
    for (uint32_t i = 0; i < n_slots; i++)
        if (slots[i].thread && has_taken(slots[i].thread, addr, taken))
            return slots[i].thread;
    return NULL;
}

/* A block may be abandoned before it is full: take the last one that begins early enough. */
uint32_t sm_epoch_at(uint32_t slot, uint32_t time)
{
    uint32_t n = __atomic_load_n(&n_blocks, __ATOMIC_RELAXED), found = 0;
    for (uint32_t i = 1; i < n && i < SM_BLOCKS; i++)
        if (sm_blocks[i].slot == slot && sm_blocks[i].time <= time &&
            (!found || sm_blocks[i].time >= sm_blocks[found].time))
            found = i;
    return found * SM_EPOCH_BLOCK + (time - sm_blocks[found].time);
}

const struct sm_membership *sm_thread_team(const struct sm_detect_thread *thread, uint32_t epoch)
{
    uint32_t n = __atomic_load_n(&thread->n_teams, __ATOMIC_ACQUIRE); /* pairs with its writer */
    for (uint32_t i = n; i > 0 && i + SM_MEMBERSHIPS > n; i--) {
        const struct sm_membership *team = &thread->teams[(i - 1) % SM_MEMBERSHIPS];
        if (team->from <= sm_epoch_time(epoch))
            return team->size ? team : NULL;
    }
    return NULL;
}

__attribute__((preserve_all)) bool sm_has_seen_by_clock(struct sm_detect_thread *thread,
                                                        uint32_t epoch)
{
    uint32_t seen = sm_clock_get(&thread->seen, sm_epoch_slot(epoch));
    uint32_t block = epoch / SM_EPOCH_BLOCK, first = sm_blocks[block].time;
    if (seen < sm_epoch_time(epoch))
        return false;
    uint32_t ahead = seen - first < SM_EPOCH_BLOCK ? seen - first : SM_EPOCH_BLOCK - 1;
    thread->seen_in[block % SM_SEEN_BLOCKS] = block * SM_EPOCH_BLOCK + ahead;
    return true;
}

bool sm_epoch_renew(struct sm_detect_thread *thread)
{
    if (!slot_advance(thread->slot))
        return false;
    thread->seen.time[thread->slot] = slots[thread->slot].time;
    begin_epoch(&slots[thread->slot]);
    sm_history_add(thread->history, SM_HISTORY_EPOCH, sm_own.epoch, NULL);
    return true;
}

void sm_epoch_advance(struct sm_detect_thread *thread)
{
    sm_epoch_renew(thread);
}

void sm_threads_await_marks(void)
{
    for (uint32_t i = 0; i < n_slots; i++)
        while (slots[i].thread && __atomic_load_n(&slots[i].thread->marking, __ATOMIC_ACQUIRE))
            sm_syscall(SYS_sched_yield);
}
