/*
 * history.h - recent events of a thread, to reconstruct the stack of the other side of a race.
 *
 * Each thread writes a ring of events: calls and returns of instrumented functions, and every
 * access that changed a cell (not those that found their mark already there, which is most of
 * them). The thread that finds a race searches the other thread's ring for the access and
 * reconstructs the stack by walking backwards from it.
 *
 * Only the owner writes; other threads may read at the same time, so what they read is only a hint:
 * if an event was overwritten meanwhile, the report loses a stack, never an access.
 *
 * An event is 16 bytes. A call holds the call site and the stack pointer of the caller, so frames
 * left by an exception or longjmp are recognised as gone as soon as the next call is made from an
 * outer frame. A call that returns before any other event is taken back.
 *
 * Long-running calls, and locks acquired before them, are eventually overwritten. So both are saved
 * every quarter of a ring, and a walk stops at such a snapshot.
 */
#ifndef SM_NATIVE_HISTORY_H
#define SM_NATIVE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_site;
struct sm_words;

#define SM_HISTORY_EVENTS 16384u /* 256 KiB per thread, touched as it is used */

enum sm_history_kind {
    SM_HISTORY_ACCESS, /* what: address */
    SM_HISTORY_RANGE,  /* what: address; the next event's `what` is the length */
    SM_HISTORY_LENGTH,
    SM_HISTORY_EPOCH, /* what: the epoch that begins */
    SM_HISTORY_LOCK,  /* what: address of the lock that was acquired */
    SM_HISTORY_UNLOCK,
    SM_HISTORY_WORDS,   /* what: address of the first; sites: see paths.h */
    SM_HISTORY_STRIPES, /* the same; the next event's `what` is the length of all */
    SM_HISTORY_CALL,    /* what: stack pointer of the caller */
    SM_HISTORY_RETURN,  /* what: the same */
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

/* A stack: call sites, innermost first. */
struct sm_trail {
    uint32_t n;
    const struct sm_site *frames[SM_TRAIL_MAX];
};

#define SM_LOCKS_MAX 8

/* Kind of a lock, and flags: how it is held or acquired. */
enum sm_hold {
    SM_HOLD_MUTEX,
    SM_HOLD_RWLOCK,
    SM_HOLD_SPIN,
    SM_HOLD_OTHER, /* the program's own lock, by annotations */
    SM_HOLD_KIND = 3,
    SM_HOLD_SHARED = 4,
    SM_HOLD_TRIED = 8, /* by a trylock or a call with a time limit */
};

/* Locks held, the last acquired first, each with the call that acquired it (or NULL). */
struct sm_locks {
    uint32_t n;
    uint32_t lost; /* > 0: there was no room, so the list is incomplete */
    struct sm_lock {
        uintptr_t addr;
        const struct sm_site *taken;
        uint32_t how; /* enum sm_hold */
    } held[SM_LOCKS_MAX];
};

struct sm_kept {
    uint64_t position;            /* of the next event; 0: being written, or unused */
    struct sm_trail trail;        /* written before the position */
    uint64_t stack[SM_TRAIL_MAX]; /* stack pointers of the callers */
    struct sm_locks locks;
};

struct sm_call_history {
    uint64_t n; /* events written and not taken back; the last SM_HISTORY_EVENTS are available */
    uint64_t keep_at; /* the value of n at which the next snapshot is due */
    struct sm_history_event events[SM_HISTORY_EVENTS];
    struct sm_kept kept[SM_KEPT];
    struct sm_locks held; /* now; written and read by the owner */
};

extern struct sm_call_history sm_history_of_nobody; /* for unregistered threads */

/* For the inline paths and the functions behind them, which take no snapshots: merely allowing one
   of these to call another function made a lock-heavy program (hashmap) a quarter slower. */
static inline void sm_history_push(struct sm_call_history *history, enum sm_history_kind kind,
                                   uint64_t what, const struct sm_site *site)
{
    struct sm_history_event *event = &history->events[history->n % SM_HISTORY_EVENTS];
    event->site = site;
    /* release: where an event was taken back, a thread that reads this one also sees its site */
    __atomic_store_n(&event->what, (uint64_t)kind << 56 | what, __ATOMIC_RELEASE);
    __atomic_store_n(&history->n, history->n + 1, __ATOMIC_RELEASE);
}

static inline void sm_history_push_words(struct sm_call_history *history, uintptr_t addr,
                                         const struct sm_words *words)
{
    sm_history_push(history, SM_HISTORY_WORDS, addr, (const struct sm_site *)(const void *)words);
}

/* A call from this frame has returned. */
static inline void sm_history_return(struct sm_call_history *history, uint64_t stack,
                                     const struct sm_site *site)
{
    uint64_t last = history->n - 1;
    if (history->events[last % SM_HISTORY_EVENTS].what == ((uint64_t)SM_HISTORY_CALL << 56 | stack))
        __atomic_store_n(&history->n, last, __ATOMIC_RELEASE);
    else
        sm_history_push(history, SM_HISTORY_RETURN, stack, site);
}

/* For all other events; takes snapshots. Locks have functions of their own, below. */
void sm_history_keep(struct sm_call_history *history);
static inline void sm_history_add(struct sm_call_history *history, enum sm_history_kind kind,
                                  uint64_t what, const struct sm_site *site)
{
    sm_history_push(history, kind, what, site);
    if (__builtin_expect(history->n >= history->keep_at, 0))
        sm_history_keep(history);
}

/* The lock was acquired, is released. */
void sm_history_lock(struct sm_call_history *history, uintptr_t lock, uint32_t how);
void sm_history_unlock(struct sm_call_history *history, uintptr_t lock);

/* The locks held at event number `position`, as far back as the history goes. */
void sm_history_locks(const struct sm_call_history *history, uint64_t position,
                      struct sm_locks *locks);
/* The call stack at event number `position`. */
void sm_history_trail(const struct sm_call_history *history, uint64_t position,
                      struct sm_trail *trail);
/* The call that the thread is about to make; NULL if any event but a new epoch came since. */
const struct sm_site *sm_history_call(const struct sm_call_history *history);
/* The range of event number `position`; false: it is not a range. */
bool sm_history_range(const struct sm_call_history *history, uint64_t position, uintptr_t *start,
                      size_t *length);
/* The last access to [addr, addr + size) within `epoch`; false if it has been overwritten. */
bool sm_history_find(const struct sm_call_history *history, uint32_t epoch, uintptr_t addr,
                     uint32_t size, bool write, uint64_t *position, const struct sm_site **site);

#endif
