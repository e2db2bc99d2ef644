/*
 * object.h - the state of the program's synchronisation objects.
 *
 * Under control a pthread_mutex_t is only a name: its state is here, keyed by its address, and
 * libc's own bytes stay as initialised (except for one that marks a mutex as held: mutex.c). They
 * are read for attributes (type of a mutex, clock of a condition), and once, when an object is
 * first seen, for its state, because it may have been used before main, when libc still did the
 * work. In the child of a fork sm_sync_release is the reverse: libc takes what is held here, and
 * does the work again.
 *
 * One hash table holds objects of every kind. Its keys are granules of 64 bytes, so that free(),
 * which must forget all objects of a block, looks up one bucket for each granule instead of one
 * for each possible address.
 *
 * Called only by the running thread, between two scheduling points. A pointer to an object is
 * valid until the next scheduling point: others may destroy it there. Look it up again after
 * sm_point and sm_block.
 */
#ifndef SM_RUNTIME_SYNC_OBJECT_H
#define SM_RUNTIME_SYNC_OBJECT_H

#include <stddef.h>

#include "core/objects/objects.h"
#include "runtime/thread.h"

enum sm_object_kind {
    SM_OBJECT_MUTEX,
    SM_OBJECT_RWLOCK,
    SM_OBJECT_BARRIER,
    SM_OBJECT_SPIN,
    SM_OBJECT_ONCE,
    SM_OBJECT_SEM,
    SM_OBJECT_KINDS
};

struct sm_object {
    const void *addr;
    enum sm_object_kind kind;
    const struct sm_thread *owner; /* mutex, spin lock; rwlock: writer; once: its runner */
    uint32_t number; /* in order of appearance: unique, even for objects at the same address */
    uint64_t state;  /* core/objects/objects.h; barrier: number of threads that have arrived */
    union {
        struct {
            uint32_t depth;    /* how often its owner has locked it */
            bool inconsistent; /* robust: its owner died, and it was not made consistent yet */
            bool lost;         /* robust: unlocked while inconsistent */
        } mutex;
        struct {
            uint32_t writers_waiting;
            const struct sm_thread *reader; /* the last to lock it, for the deadlock report */
        } rwlock;
        struct {
            uint32_t needed;
            uint32_t generation;
        } barrier;
    };
    struct sm_object *next;              /* of the same bucket */
    struct sm_object *older, **newer_to; /* list of all robust mutexes, newest first */
};

/* Conversion of a kind of object from and to libc's bytes. */
struct sm_object_class {
    void (*adopt)(struct sm_object *object);
    void (*release)(const struct sm_object *object);
};
extern const struct sm_object_class sm_mutex_class, sm_rwlock_class, sm_barrier_class,
    sm_spin_class, sm_once_class, sm_sem_class;

/* The object at an address; one not seen before is adopted from libc's bytes. */
struct sm_object *sm_object_get(const void *addr, enum sm_object_kind kind);
/* NULL: there is none of any kind. */
const struct sm_object *sm_object_find(const void *addr);
/* Performs the operation, if the object's state allows it now. */
static inline enum sm_step sm_object_operate(struct sm_object *object, enum sm_object_op op,
                                             uint64_t arg)
{
    return sm_object_step(op, object->state, arg, &object->state);
}
/* The program has mapped memory that processes may share: one of its robust mutexes may be there.
 */
void sm_object_memory_shared(void);
/* The object of the operation was initialised as shared between processes. */
bool sm_object_is_process_shared(const struct sm_event *operation);
/* Forgets the object's state. */
void sm_object_forget(const void *addr);
/* The memory was freed: called by free() and munmap(). */
void sm_sync_forget(const void *addr, size_t size);
/* The calling process is the child of a fork: returns every object to libc. */
void sm_sync_release(void);

#endif
