/*
 * misuse.h - operations on synchronisation objects that POSIX leaves undefined.
 *
 * Each rule takes what is known of the object when the operation begins, and says what is wrong
 * with it (misuse.def). Both runtimes ask the same rules; they differ in where the facts come from:
 * controlled execution knows holders from its own table, the race detector from libc's bytes.
 *
 * What libc answers with an error by contract is no misuse: an errorcheck, recursive, robust or
 * priority-inheriting mutex says EPERM, EDEADLK or EBUSY itself. Nor is what ends by itself:
 * trylock, and locking with a time limit.
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
/* `again`: it was initialised by a call, and neither destroyed nor did its memory end. */
enum sm_misuse sm_misuse_of_init(enum sm_holder holder, bool again);
/* A wait for a condition with this mutex. */
enum sm_misuse sm_misuse_of_wait(int kind, enum sm_holder holder);
/* libc itself looks who the owner is, or what the kind says is not for us to judge. */
bool sm_mutex_is_checked(int kind);
bool sm_mutex_kind_is_robust(int kind);

/* ---- marks in libc's bytes ----
 *
 * Eight bytes of an object that libc does not use say what was done to it. An initialiser, or
 * memory that is used for another object, overwrites them: so they are never about another object.
 * Objects that processes share have none: the others do not keep them up.
 */

/* A second initialisation is judged in variables that are no larger: what is larger may be memory
   for all kinds of objects in turn. */
enum { SM_INIT_LARGEST = 4096 };
/* glibc, x86-64: the low bits of a read-write lock's __readers are flags; a spin lock that is free.
 */
enum { SM_RWLOCK_READERS_SHIFT = 3, SM_SPIN_FREE = 1 };

enum sm_life { SM_LIFE_UNKNOWN, SM_LIFE_INITIALISED, SM_LIFE_DESTROYED };

/* NULL: this one has none. */
uint64_t *sm_mutex_mark(pthread_mutex_t *mutex);
uint64_t *sm_rwlock_mark(pthread_rwlock_t *lock);
uint64_t *sm_barrier_mark(pthread_barrier_t *barrier);
uint64_t *sm_sem_mark(sem_t *sem);

enum sm_life sm_mark_life(const uint64_t *mark);
void sm_mark_set_life(uint64_t *mark, enum sm_life life);
/* What tells the object from others that were at its address: never 0. Assigned when it is first
   asked for, which is for who knows that the object is there: it holds it. */
uint32_t sm_mark_number(uint64_t *mark);
/* 0: it has none. */
uint32_t sm_mark_known_number(const uint64_t *mark);

/* glibc keeps these itself. */
bool sm_mutex_is_destroyed(const pthread_mutex_t *mutex);
bool sm_cond_is_destroyed(const pthread_cond_t *cond);

#endif
