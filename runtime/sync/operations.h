/*
 * operations.h - an engine's (engine.h) operations on synchronisation objects.
 *
 * The functions of sync.h build the event and call these. Each passes the scheduling points of its
 * operation, waits until the object's state allows it, records the event (sm_sync) and returns the
 * result of the function of sync.h. The sampling engine's are in this folder, one file per kind of
 * object: it keeps states in a table (object.h) and waiting threads on queues of the scheduler.
 *
 * Below them: functions on libc's bytes for other engines.
 */
#ifndef SM_RUNTIME_SYNC_OPERATIONS_H
#define SM_RUNTIME_SYNC_OPERATIONS_H

#include "core/objects/objects.h"
#include "runtime/sync/sync.h"

struct sm_mutex_operations {
    int (*lock)(pthread_mutex_t *mutex, struct sm_limit limit, struct sm_event *event);
    int (*lock_again)(pthread_mutex_t *mutex, struct sm_event *event); /* after a condition wait */
    int (*unlock)(pthread_mutex_t *mutex, struct sm_event *event);
    bool (*may_unlock)(const pthread_mutex_t *mutex);
};

struct sm_rwlock_operations {
    int (*read_lock)(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event);
    int (*write_lock)(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event);
    int (*unlock)(pthread_rwlock_t *lock, void *pc);
};

struct sm_spin_operations {
    int (*lock)(pthread_spinlock_t *lock, struct sm_limit limit, struct sm_event *event);
    void (*unlock)(pthread_spinlock_t *lock, struct sm_event *event);
};

struct sm_cond_operations {
    int (*wait)(pthread_cond_t *cond, pthread_mutex_t *mutex, struct sm_limit limit,
                struct sm_event *event);
    void (*signal)(pthread_cond_t *cond, struct sm_event *event);
    void (*broadcast)(pthread_cond_t *cond, struct sm_event *event);
    /* Returns when no thread waits there. */
    void (*drain)(pthread_cond_t *cond, struct sm_event *event);
};

struct sm_barrier_operations {
    /* An arrival, before it is recorded. `looks`: the program uses the result of the call. True:
       departing waits for the others; false: the caller must wait. */
    bool (*arrive)(struct sm_event *event, uint32_t needed, bool looks);
    /* A departure, before it is recorded: is this the serial thread? `last`: it arrived last. */
    bool (*depart)(struct sm_event *event, bool last);
    /* It is about to be initialised or destroyed. */
    void (*renew)(struct sm_event *event);
};

struct sm_sem_operations {
    int (*wait)(sem_t *sem, struct sm_limit limit, struct sm_event *event);
    int (*post)(sem_t *sem, struct sm_event *event);
    int (*value)(sem_t *sem, struct sm_event *event);
    void (*renew)(sem_t *sem, struct sm_event *event); /* it was initialised */
};

struct sm_once_operations {
    /* True: the caller runs the routine, and then calls `end`. */
    bool (*begin)(pthread_once_t *once, void *pc);
    void (*end)(pthread_once_t *once, bool done, void *pc);
    bool (*guard_begin)(uint64_t *guard, void *pc);
    void (*guard_end)(uint64_t *guard, bool done, void *pc);
};

/* The arguments of futex(2). */
struct sm_futex_call {
    uint32_t *word;
    int operation;
    uint32_t value;
    const struct timespec *time; /* or, for operations that wake: the second limit */
    uint32_t *other;
    uint32_t last;
};

struct sm_futex_operations {
    long (*call)(const struct sm_futex_call *call, struct sm_event *event); /* or -errno */
};

/* An atomic section (__VERIFIER_atomic_begin); the recursive mutex is its object. */
struct sm_section_operations {
    void (*begin)(pthread_mutex_t *section, void *pc);
    void (*end)(pthread_mutex_t *section, void *pc);
};

struct sm_sync_operations {
    const struct sm_mutex_operations *mutex;
    const struct sm_rwlock_operations *rwlock;
    const struct sm_spin_operations *spin;
    const struct sm_cond_operations *cond;
    const struct sm_barrier_operations *barrier;
    const struct sm_sem_operations *sem;
    const struct sm_once_operations *once;
    const struct sm_section_operations *section;
    const struct sm_futex_operations *futex;
};

/* Those of the sampling engine. */
extern const struct sm_mutex_operations sm_mutex_sampling;
extern const struct sm_rwlock_operations sm_rwlock_sampling;
extern const struct sm_spin_operations sm_spin_sampling;
extern const struct sm_cond_operations sm_cond_sampling;
extern const struct sm_barrier_operations sm_barrier_sampling;
extern const struct sm_sem_operations sm_sem_sampling;
extern const struct sm_futex_operations sm_futex_sampling;
extern const struct sm_once_operations sm_once_sampling;
extern const struct sm_section_operations sm_section_sampling;

/* ---- libc's bytes ---- */

/* From its attributes. */
enum sm_mutex_type sm_mutex_type(const pthread_mutex_t *mutex);
bool sm_mutex_is_robust(const pthread_mutex_t *mutex);
bool sm_rwlock_prefers_writers(const pthread_rwlock_t *lock);
/* The value it was initialised with. */
int sm_sem_native_value(sem_t *sem);
enum { SM_ONCE_NATIVE_DONE = 2 }; /* glibc: __PTHREAD_ONCE_DONE */
static inline enum sm_once_state sm_once_native_state(const pthread_once_t *once)
{
    return *once & SM_ONCE_NATIVE_DONE ? SM_ONCE_DONE : SM_ONCE_NEW;
}
/* Stores the byte that compiled code reads: the object is initialised. */
void sm_guard_set(uint64_t *guard, void *pc);

#endif
