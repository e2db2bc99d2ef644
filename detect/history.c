/*
 * history.c - see history.h.
 */
#include "history.h"

#include "../abi/site.h"
#include "paths.h"

#define WHAT_MASK ((1ul << 56) - 1)

struct sm_history sm_history_of_nobody;

static enum sm_history_kind kind_of(const struct sm_history_event *event)
{
    return (enum sm_history_kind)(event->what >> 56);
}

static uint64_t oldest(const struct sm_history *history, uint64_t end)
{
    uint64_t n = __atomic_load_n(&history->n, __ATOMIC_ACQUIRE); /* events below n are whole */
    uint64_t from = n > SM_HISTORY_EVENTS ? n - SM_HISTORY_EVENTS : 0;
    return from < end ? from : end;
}

static const struct sm_history_event *at(const struct sm_history *history, uint64_t position)
{
    return &history->events[position % SM_HISTORY_EVENTS];
}

/* Backwards: a frame still stands if no later event was made from its caller or above. */
void sm_history_trail(const struct sm_history *history, uint64_t position, struct sm_trail *trail)
{
    uint64_t top = 0, from = oldest(history, position);
    trail->n = 0;
    for (uint64_t i = position; i > from && trail->n < SM_TRAIL_MAX; i--) {
        const struct sm_history_event *event = at(history, i - 1);
        uint64_t stack = event->what & WHAT_MASK;
        enum sm_history_kind kind = kind_of(event);
        if (kind != SM_HISTORY_CALL && kind != SM_HISTORY_RETURN)
            continue;
        if (kind == SM_HISTORY_CALL && stack > top)
            trail->frames[trail->n++] = event->site;
        if (stack > top)
            top = stack;
    }
}

/* ---- locks ---- */

static const struct sm_site *call_before(const struct sm_history *history, uint64_t position,
                                         uint64_t from)
{
    if (position <= from || kind_of(at(history, position - 1)) != SM_HISTORY_CALL)
        return NULL;
    return at(history, position - 1)->site;
}

/* Backwards: a lock is held if it is taken before it is found to be given up. */
void sm_history_locks(const struct sm_history *history, uint64_t position, struct sm_locks *locks)
{
    uintptr_t given_up[SM_LOCKS_MAX];
    uint32_t n_given_up = 0;
    uint64_t from = oldest(history, position);
    locks->n = 0;
    for (uint64_t i = position; i > from && locks->n < SM_LOCKS_MAX; i--) {
        const struct sm_history_event *event = at(history, i - 1);
        uintptr_t lock = event->what & WHAT_MASK;
        if (kind_of(event) == SM_HISTORY_UNLOCK) {
            if (n_given_up == SM_LOCKS_MAX)
                return;
            given_up[n_given_up++] = lock;
        } else if (kind_of(event) == SM_HISTORY_LOCK) {
            uint32_t k = 0;
            while (k < n_given_up && given_up[k] != lock)
                k++;
            if (k < n_given_up)
                given_up[k] = given_up[--n_given_up];
            else
                locks->held[locks->n++] = (struct sm_lock){lock, call_before(history, i - 1, from)};
        }
    }
}

static bool is_write(const struct sm_site *site)
{
    return site->kind != SM_SITE_LOAD && site->kind != SM_SITE_ATOMIC_LOAD;
}

/* The access of the event that touches the bytes; NULL if none does. */
static const struct sm_site *touching(const struct sm_history *history, uint64_t position,
                                      uintptr_t addr, uint32_t size, bool write)
{
    const struct sm_history_event *event = at(history, position);
    const struct sm_site *site = event->site;
    uintptr_t start = event->what & WHAT_MASK;
    uint64_t length;
    if (!site)
        return NULL;
    if (kind_of(event) == SM_HISTORY_ACCESS) {
        /* An access that lies in several granules has an entry for each. */
        length = 8 - start % 8 < site->size ? 8 - start % 8 : site->size;
    } else if (kind_of(event) == SM_HISTORY_RANGE) {
        length = at(history, position + 1)->what & WHAT_MASK;
    } else if (kind_of(event) == SM_HISTORY_WORDS) {
        length = 8 * event->words->n;
        site = event->words->sites[addr > start && addr < start + length ? (addr - start) / 8 : 0];
    } else {
        return NULL;
    }
    return start < addr + size && addr < start + length && (!write || is_write(site)) ? site : NULL;
}

static const struct sm_site *find_within(const struct sm_history *history, uint64_t from,
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

bool sm_history_find(const struct sm_history *history, uint32_t epoch, uintptr_t addr,
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
