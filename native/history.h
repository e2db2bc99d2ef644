/*
 * history.h - what a thread did lately, so that the other side of a race has a stack.
 *
 * Each thread writes a ring of events: calls and returns of instrumented functions, and
 * every access that changed a cell (not those that found their mark already there, which is
 * most of them). When a race is found, the thread that finds it searches the other thread's
 * ring for the access in question and reads the calls around it off backwards.
 *
 * Only the owner writes; another thread may read while it writes, and so takes what it reads
 * for a hint: an event that was overwritten meanwhile loses a stack, never an access.
 *
 * An event is 16 bytes. A call holds the row of the call and the stack pointer of the
 * caller, so that frames which an exception or longjmp has left are known to be gone as soon
 * as the next call is made from further up. A call that returns before anything else happened
 * is taken back.
 *
 * The calls that a thread is in for long are overwritten one day, and the locks it took before
 * them. So every quarter of a ring both are kept beside it, and read off back to there only.
 */
#ifndef SM_NATIVE_HISTORY_H
#define SM_NATIVE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_site;
struct sm_words;

#define SM_HISTORY_EVENTS 16384u /* 256 KiB a thread, touched as it is used */

enum sm_history_kind {
    SM_HISTORY_ACCESS, /* what: address */
    SM_HISTORY_RANGE,  /* what: address; the next event's `what` is the length */
    SM_HISTORY_LENGTH,
    SM_HISTORY_CALL,   /* what: stack pointer of the caller */
    SM_HISTORY_RETURN, /* what: the same */
    SM_HISTORY_EPOCH,  /* what: the epoch that begins */
    SM_HISTORY_LOCK,   /* what: address of the lock that was taken */
    SM_HISTORY_UNLOCK,
    SM_HISTORY_WORDS,   /* what: address of the first; sites: see paths.h */
    SM_HISTORY_STRIPES, /* the same; the next event's `what` is the length of all */
};

struct sm_history_event {
    uint64_t what; /* kind in the top byte */
    union {
        const struct sm_site *site;
        const struct sm_words *words;
    };
};

#define SM_TRAIL_MAX 64
#define SM_KEPT 4

/* A stack: rows of call sites, innermost first. */
struct sm_trail {
    uint32_t n;
    const struct sm_site *frames[SM_TRAIL_MAX];
};

#define SM_LOCKS_MAX 8

/* How a lock is held, or taken: what it is, and flags. */
enum sm_hold {
    SM_HOLD_MUTEX,
    SM_HOLD_RWLOCK,
    SM_HOLD_SPIN,
    SM_HOLD_OTHER, /* the program's own, by annotations */
    SM_HOLD_KIND = 3,
    SM_HOLD_SHARED = 4,
    SM_HOLD_TRIED = 8, /* by a call that does not wait for ever */
};

/* Locks held, the last taken first, each with the call that took it (or NULL). */
struct sm_locks {
    uint32_t n;
    uint32_t lost; /* > 0: there was no room, and what is held is not known */
    struct sm_lock {
        uintptr_t addr;
        const struct sm_site *taken;
        uint32_t how; /* enum sm_hold */
    } held[SM_LOCKS_MAX];
};

struct sm_kept {
    uint64_t position;            /* that of the next event; 0: being written, or none */
    struct sm_trail trail;        /* written before the position */
    uint64_t stack[SM_TRAIL_MAX]; /* stack pointers of the callers */
    struct sm_locks locks;
};

struct sm_call_history {
    uint64_t n;       /* events written and not taken back; the last SM_HISTORY_EVENTS are there */
    uint64_t keep_at; /* when there are so many, the stack and the locks are kept */
    struct sm_history_event events[SM_HISTORY_EVENTS];
    struct sm_kept kept[SM_KEPT];
    struct sm_locks held; /* now; the owner's */
};

extern struct sm_call_history sm_history_of_nobody; /* for threads that nobody knows */

/* For the inline paths and the functions behind them, which keep no stacks: that one of these may
   call another function made a program that mostly locks (hashmap) a quarter slower. */
static inline void sm_history_push(struct sm_call_history *history, enum sm_history_kind kind,
                                   uint64_t what, const struct sm_site *site)
{
    struct sm_history_event *event = &history->events[history->n % SM_HISTORY_EVENTS];
    event->site = site;
    /* release: where an event was taken back, who finds this one finds its site, too */
    __atomic_store_n(&event->what, (uint64_t)kind << 56 | what, __ATOMIC_RELEASE);
    __atomic_store_n(&history->n, history->n + 1, __ATOMIC_RELEASE);
}

static inline void sm_history_push_words(struct sm_call_history *history, uintptr_t addr,
                                         const struct sm_words *words)
{
    sm_history_push(history, SM_HISTORY_WORDS, addr, (const struct sm_site *)(const void *)words);
}

/* A call from this frame is over. */
static inline void sm_history_return(struct sm_call_history *history, uint64_t stack,
                                     const struct sm_site *site)
{
    uint64_t last = history->n - 1;
    if (history->events[last % SM_HISTORY_EVENTS].what == ((uint64_t)SM_HISTORY_CALL << 56 | stack))
        __atomic_store_n(&history->n, last, __ATOMIC_RELEASE);
    else
        sm_history_push(history, SM_HISTORY_RETURN, stack, site);
}

/* For all but calls, returns and locks. */
void sm_history_keep(struct sm_call_history *history);
static inline void sm_history_add(struct sm_call_history *history, enum sm_history_kind kind,
                                  uint64_t what, const struct sm_site *site)
{
    sm_history_push(history, kind, what, site);
    if (__builtin_expect(history->n >= history->keep_at, 0))
        sm_history_keep(history);
}

/* The lock is taken, is given up. */
void sm_history_lock(struct sm_call_history *history, uintptr_t lock, uint32_t how);
void sm_history_unlock(struct sm_call_history *history, uintptr_t lock);

/* The locks that were held at event number `position`, as far back as the history goes. */
void sm_history_locks(const struct sm_call_history *history, uint64_t position,
                      struct sm_locks *locks);
/* The calls that led to event number `position`. */
void sm_history_trail(const struct sm_call_history *history, uint64_t position,
                      struct sm_trail *trail);
/* The call that the thread is about to make; NULL if anything but a new epoch
   came since. */
const struct sm_site *sm_history_call(const struct sm_call_history *history);
/* Of the access by a range that is event number `position`; false: it is none. */
bool sm_history_range(const struct sm_call_history *history, uint64_t position, uintptr_t *start,
                      size_t *length);
/* The last access to [addr, addr + size) within `epoch`; false if it is no longer there. */
bool sm_history_find(const struct sm_call_history *history, uint32_t epoch, uintptr_t addr,
                     uint32_t size, bool write, uint64_t *position, const struct sm_site **site);

#endif
