/*
 * history.c - see history.h.
 */
#include "native/history.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/paths.h"
#include "native/uses.h"

const struct sm_site sm_use_site = {.file = "?",
                                    .function = "?",
                                    .variable = "",
                                    .kind = SM_SITE_ATOMIC_LOAD,
                                    .size = 1,
                                    .order = SM_ORDER_SEQ_CST};

#define WHAT_KIND (1ul << 56) /* the kind's lowest bit */
#define WHAT_MASK (WHAT_KIND - 1)

struct sm_call_history sm_history_of_nobody;

static enum sm_history_kind kind_of(const struct sm_history_event *event)
{
    return (enum sm_history_kind)(event->what / WHAT_KIND);
}

static uint64_t oldest(const struct sm_call_history *history, uint64_t end)
{
    uint64_t n = __atomic_load_n(&history->n, __ATOMIC_ACQUIRE); /* events below n are complete */
    uint64_t from = n > SM_HISTORY_EVENTS ? n - SM_HISTORY_EVENTS : 0;
    return from < end ? from : end;
}

static const struct sm_history_event *at(const struct sm_call_history *history, uint64_t position)
{
    return &history->events[position % SM_HISTORY_EVENTS];
}

/* ---- stacks ---- */

/* The last snapshot before the position, within the ring; NULL if there is none. */
static const struct sm_kept *kept_before(const struct sm_call_history *history, uint64_t position,
                                         uint64_t from)
{
    const struct sm_kept *best = NULL;
    uint64_t newest = from;
    for (unsigned i = 0; i < SM_KEPT; i++) {
        /* acquire: the snapshot is complete */
        uint64_t at = __atomic_load_n(&history->kept[i].position, __ATOMIC_ACQUIRE);
        if (at > newest && at <= position) {
            best = &history->kept[i];
            newest = at;
        }
    }
    return best;
}

static void add_frame(struct sm_trail *trail, uint64_t *stacks, uint64_t stack,
                      const struct sm_site *site)
{
    if (trail->n == SM_TRAIL_MAX)
        return;
    if (stacks)
        stacks[trail->n] = stack;
    trail->frames[trail->n++] = site;
}

/* One comparison for the two kinds that end a frame, which are the last two, and for the stack.
   With two tests of the kind, snapshots took 5.6% of a queue between threads; now 2.3%. */
_Static_assert(SM_HISTORY_CALL % 2 == 0 && SM_HISTORY_RETURN == SM_HISTORY_CALL + 1, "one bit");

static bool ends_frame(uint64_t what, uint64_t top)
{
    return (what | WHAT_KIND) > (SM_HISTORY_RETURN * WHAT_KIND | top);
}

/* Walks backwards: a frame is still active if no later event was made from its caller or an outer
   frame. `stacks` may be NULL. */
static void read_stack(const struct sm_call_history *history, uint64_t position,
                       struct sm_trail *trail, uint64_t *stacks)
{
    uint64_t top = 0, from = oldest(history, position);
    const struct sm_kept *kept = kept_before(history, position, from);
    if (kept)
        from = kept->position;
    trail->n = 0;
    for (uint64_t i = position; i > from; i--) {
        const struct sm_history_event *event = at(history, i - 1);
        if (SM_LIKELY(!ends_frame(event->what, top)))
            continue;
        uint64_t stack = event->what & WHAT_MASK;
        if (kind_of(event) == SM_HISTORY_CALL)
            add_frame(trail, stacks, stack, event->site);
        top = stack;
    }
    for (uint32_t i = 0; kept && i < kept->trail.n; i++)
        if (kept->stack[i] > top)
            add_frame(trail, stacks, kept->stack[i], kept->trail.frames[i]);
}

void sm_history_trail(const struct sm_call_history *history, uint64_t position,
                      struct sm_trail *trail)
{
    read_stack(history, position, trail, NULL);
}

/* ---- locks ---- */

static const struct sm_site *call_before(const struct sm_call_history *history, uint64_t position,
                                         uint64_t from)
{
    if (position <= from || kind_of(at(history, position - 1)) != SM_HISTORY_CALL)
        return NULL;
    return at(history, position - 1)->site;
}

const struct sm_site *sm_history_call(const struct sm_call_history *history)
{
    uint64_t position = history->n, from = oldest(history, position);
    while (position > from && kind_of(at(history, position - 1)) == SM_HISTORY_EPOCH)
        position--;
    return call_before(history, position, from);
}

/* Locks released later on: an acquisition before that does not count. */
struct given_up {
    uintptr_t locks[SM_LOCKS_MAX];
    uint32_t n;
};

static bool forgive(struct given_up *given_up, uintptr_t lock)
{
    for (uint32_t k = 0; k < given_up->n; k++) {
        if (given_up->locks[k] != lock)
            continue;
        given_up->locks[k] = given_up->locks[--given_up->n];
        return true;
    }
    return false;
}

static void add_lock(struct sm_locks *locks, struct given_up *given_up, struct sm_lock lock)
{
    if (!forgive(given_up, lock.addr) && locks->n < SM_LOCKS_MAX)
        locks->held[locks->n++] = lock;
}

/* Walks backwards: a lock is held if its acquisition is found before its release. */
void sm_history_locks(const struct sm_call_history *history, uint64_t position,
                      struct sm_locks *locks)
{
    struct given_up given_up = {.n = 0};
    uint64_t from = oldest(history, position);
    const struct sm_kept *kept = kept_before(history, position, from);
    if (kept)
        from = kept->position;
    locks->n = 0;
    for (uint64_t i = position; i > from; i--) {
        const struct sm_history_event *event = at(history, i - 1);
        uintptr_t lock = event->what & WHAT_MASK;
        if (kind_of(event) == SM_HISTORY_UNLOCK) {
            if (given_up.n == SM_LOCKS_MAX)
                return;
            given_up.locks[given_up.n++] = lock;
        } else if (kind_of(event) == SM_HISTORY_LOCK) {
            add_lock(locks, &given_up,
                     (struct sm_lock){lock, call_before(history, i - 1, from), 0});
        }
    }
    for (uint32_t i = 0; kept && i < kept->locks.n; i++)
        add_lock(locks, &given_up, kept->locks.held[i]);
}

/* Unregistered threads share one history: read `n` only once. */
static void remember(struct sm_locks *held, struct sm_lock lock)
{
    uint32_t n = held->n < SM_LOCKS_MAX ? held->n : SM_LOCKS_MAX - 1;
    held->lost += n < held->n;
    for (uint32_t i = n; i > 0; i--)
        held->held[i] = held->held[i - 1];
    held->held[0] = lock;
    held->n = n + 1;
}

static void forget(struct sm_locks *held, uintptr_t lock)
{
    uint32_t i = 0, n = held->n;
    while (i < n && held->held[i].addr != lock)
        i++;
    if (i == n)
        return;
    for (; i + 1 < n; i++)
        held->held[i] = held->held[i + 1];
    held->n = n - 1;
}

void sm_history_lock(struct sm_call_history *history, uintptr_t lock, uint32_t how)
{
    remember(&history->held, (struct sm_lock){lock, sm_history_call(history), how});
    sm_history_add(history, SM_HISTORY_LOCK, lock, NULL);
}

void sm_history_unlock(struct sm_call_history *history, uintptr_t lock)
{
    forget(&history->held, lock);
    sm_history_add(history, SM_HISTORY_UNLOCK, lock, NULL);
}

/* Only after an event that is never taken back: the snapshot stays valid for its position. */
void sm_history_keep(struct sm_call_history *history)
{
    uint64_t every = SM_HISTORY_EVENTS / SM_KEPT, n = history->n;
    struct sm_kept *kept = &history->kept[n / every % SM_KEPT];
    history->keep_at = n - n % every + every;
    if (n < every)
        return;
    __atomic_store_n(&kept->position, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* or readers could take it for the old one */
    read_stack(history, n, &kept->trail, kept->stack);
    kept->locks = history->held;
    __atomic_store_n(&kept->position, n, __ATOMIC_RELEASE); /* pairs with kept_before */
}

/* ---- accesses ---- */

static bool is_write(const struct sm_site *site)
{
    return site->kind != SM_SITE_LOAD && site->kind != SM_SITE_ATOMIC_LOAD;
}

/* The word at this distance into the stripes; NULL between them. */
static const struct sm_site *striped(const struct sm_words *words, uint64_t distance)
{
    uint64_t word = distance % words->step / 8;
    return word < words->n ? words->sites[word] : NULL;
}

/* The site of the event's access to the bytes; NULL if it does not touch them. */
static const struct sm_site *touching(const struct sm_call_history *history, uint64_t position,
                                      uintptr_t addr, uint32_t size, bool write)
{
    const struct sm_history_event *event = at(history, position);
    const struct sm_site *site = event->site;
    uintptr_t start = event->what & WHAT_MASK;
    uint64_t length;
    if (kind_of(event) == SM_HISTORY_LOCK || kind_of(event) == SM_HISTORY_UNLOCK)
        return start - addr < size && !write ? &sm_use_site : NULL;
    if (!site)
        return NULL;
    if (kind_of(event) == SM_HISTORY_ACCESS) {
        /* An access that spans granules has an event for each. */
        length = 8 - start % 8 < site->size ? 8 - start % 8 : site->size;
    } else if (kind_of(event) == SM_HISTORY_RANGE) {
        length = at(history, position + 1)->what & WHAT_MASK;
    } else if (kind_of(event) == SM_HISTORY_WORDS) {
        length = 8 * event->words->n;
        site = event->words->sites[addr > start && addr < start + length ? (addr - start) / 8 : 0];
    } else if (kind_of(event) == SM_HISTORY_STRIPES) {
        length = at(history, position + 1)->what & WHAT_MASK;
        site = striped(event->words, addr > start ? addr - start : 0);
        if (!site)
            return NULL;
    } else {
        return NULL;
    }
    return start < addr + size && addr < start + length && (!write || is_write(site)) ? site : NULL;
}

bool sm_history_range(const struct sm_call_history *history, uint64_t position, uintptr_t *start,
                      size_t *length)
{
    const struct sm_history_event *event = at(history, position);
    *start = event->what & WHAT_MASK;
    *length = at(history, position + 1)->what & WHAT_MASK;
    return kind_of(event) == SM_HISTORY_RANGE;
}

static const struct sm_site *find_within(const struct sm_call_history *history, uint64_t from,
                                         uint64_t to, uintptr_t addr, uint32_t size, bool write,
                                         uint64_t *position)
{
    const struct sm_site *site = NULL;
    for (uint64_t i = to; i > from && !site; i--) {
        site = touching(history, i - 1, addr, size, write);
        *position = i - 1;
    }
    return site;
}

bool sm_history_find(const struct sm_call_history *history, uint32_t epoch, uintptr_t addr,
                     uint32_t size, bool write, uint64_t *position, const struct sm_site **site)
{
    uint64_t end = __atomic_load_n(&history->n, __ATOMIC_ACQUIRE), from = oldest(history, end);
    for (uint64_t i = end; i > from; i--) {
        const struct sm_history_event *event = at(history, i - 1);
        if (kind_of(event) != SM_HISTORY_EPOCH)
            continue;
        uint32_t begins = (uint32_t)(event->what & WHAT_MASK);
        if (begins == epoch) {
            *site = find_within(history, i, end, addr, size, write, position);
            if (*site)
                return true;
        }
        if (begins <= epoch)
            return false;
        end = i - 1;
    }
    *site = find_within(history, from, end, addr, size, write, position);
    return *site != NULL;
}
