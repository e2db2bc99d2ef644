/*
 * misuse.h - operations on synchronisation objects that POSIX leaves undefined.
 *
 * Each rule takes what is known of the object when the operation begins, and returns what is wrong
 * with it (misuse.def). Both runtimes use the same rules; the facts come from different sources:
 * controlled execution knows holders from its own table, the race detector from libc's fields.
 *
 * An error that libc returns by contract is not misuse: an errorcheck, recursive, robust or
 * priority-inheriting mutex returns EPERM, EDEADLK or EBUSY itself. Nor are operations that do not
 * wait for ever: trylock, and locking with a time limit.
 */
#ifndef SM_CORE_OBJECTS_MISUSE_H
#define SM_CORE_OBJECTS_MISUSE_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/control.h"

enum sm_misuse {
    SM_MISUSE_NONE,
#define SM_MISUSE(name, kind, role, text) SM_MISUSE_##name,
#include "core/objects/misuse.def"
    SM_MISUSES
};

struct sm_misuse_rule {
    enum sm_failure_kind kind;
    enum sm_role role;
    const char *text;
};
extern const struct sm_misuse_rule sm_misuse_rules[SM_MISUSES];

enum sm_holder { SM_HOLDER_NOBODY, SM_HOLDER_SELF, SM_HOLDER_OTHER };

/* ---- mutexes: `kind` is libc's word ---- */

enum sm_misuse sm_misuse_of_lock(int kind, enum sm_holder holder, bool for_ever);
enum sm_misuse sm_misuse_of_unlock(int kind, enum sm_holder holder);
enum sm_misuse sm_misuse_of_destroy(int kind, enum sm_holder holder);
/* `again`: it was initialised by a call, and neither destroyed nor was its memory freed. */
enum sm_misuse sm_misuse_of_init(enum sm_holder holder, bool again);
/* A wait on a condition variable with this mutex. */
enum sm_misuse sm_misuse_of_wait(int kind, enum sm_holder holder);
/* libc checks the owner itself, or the kind is one that is not judged here. */
bool sm_mutex_is_checked(int kind);
bool sm_mutex_kind_is_robust(int kind);

/* ---- marks in libc's bytes ----
 *
 * Eight bytes of an object that libc does not use record its life. An initialiser, or reuse of the
 * memory, overwrites them: so they never describe another object. Process-shared objects have no
 * mark: other processes do not maintain it. */

/* A second initialisation is checked only in variables up to this size: a larger one may be memory
   for various objects in turn. */
enum { SM_INIT_LARGEST = 4096 };
/* glibc, x86-64: the low bits of a read-write lock's __readers are flags; the value of a free spin
   lock. */
enum { SM_RWLOCK_READERS_SHIFT = 3, SM_SPIN_FREE = 1 };

enum sm_life { SM_LIFE_UNKNOWN, SM_LIFE_INITIALISED, SM_LIFE_DESTROYED };

/* NULL: this object has none. */
uint64_t *sm_mutex_mark(pthread_mutex_t *mutex);
uint64_t *sm_rwlock_mark(pthread_rwlock_t *lock);
uint64_t *sm_barrier_mark(pthread_barrier_t *barrier);
uint64_t *sm_sem_mark(sem_t *sem);

enum sm_life sm_mark_life(const uint64_t *mark);
void sm_mark_set_life(uint64_t *mark, enum sm_life life);
/* Distinguishes the object from others at the same address: never 0. Assigned when it is first
   asked for, by a thread that knows the object exists because it holds it. */
uint32_t sm_mark_number(uint64_t *mark);
/* 0: it has none. */
uint32_t sm_mark_known_number(const uint64_t *mark);

/* glibc keeps these itself. */
bool sm_mutex_is_destroyed(const pthread_mutex_t *mutex);
bool sm_cond_is_destroyed(const pthread_cond_t *cond);

#endif
