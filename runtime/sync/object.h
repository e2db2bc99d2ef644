/*
 * object.h - what the runtime knows about the program's synchronisation objects.
 *
 * Under control a pthread_mutex_t is only a name: its state is here, keyed by its
 * address, and libc's own bytes stay as initialisation left them (but for one that says
 * a mutex is held: mutex.c). They are read for
 * what they say about attributes (type of a mutex, clock of a condition), and once,
 * when an object is first seen, for its state, because it may have been used before
 * main, when libc still did the work. In the child of a fork the way back is
 * sm_sync_release: what is held here is taken there, and libc does the work again.
 *
 * One hash table holds objects of every kind. Its buckets are granules of 64 bytes,
 * so that free(), which must forget all objects of a block, looks at one bucket for
 * each granule instead of one for each possible address.
 *
 * Called only by the running thread, between two scheduling points. A pointer to an
 * object is good until the next scheduling point: others may destroy it there. Look it
 * up again after sm_point and sm_block.
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
    uint32_t number; /* in order of appearance: of two at one address each has its own */
    uint64_t state;  /* core/objects/objects.h; barrier: number of threads that have arrived */
    union {
        struct {
            uint32_t depth;    /* how often its owner has locked it */
            bool inconsistent; /* robust: its owner died, and nobody said it is whole again */
            bool lost;         /* robust: unlocked while inconsistent */
        } mutex;
        struct {
            uint32_t writers_waiting;
            const struct sm_thread *reader; /* the last to come, for the deadlock report */
        } rwlock;
        struct {
            uint32_t needed;
            uint32_t generation;
        } barrier;
    };
    struct sm_object *next;              /* of the same bucket */
    struct sm_object *older, **newer_to; /* list of all robust mutexes, newest first */
};

/* How a kind of object comes from libc's bytes and goes back there. */
struct sm_object_class {
    void (*adopt)(struct sm_object *object);
    void (*release)(const struct sm_object *object);
};
extern const struct sm_object_class sm_mutex_class, sm_rwlock_class, sm_barrier_class,
    sm_spin_class, sm_once_class, sm_sem_class;

/* The object at an address; one not seen before is adopted from libc's bytes. */
struct sm_object *sm_object_get(const void *addr, enum sm_object_kind kind);
/* NULL: there is none, of whatever kind. */
const struct sm_object *sm_object_find(const void *addr);
/* The operation, if the object's state allows it now. */
static inline enum sm_step sm_object_operate(struct sm_object *object, enum sm_object_op op,
                                             uint64_t arg)
{
    return sm_object_step(op, object->state, arg, &object->state);
}
/* The program has said that processes share the object that the operation is about. */
bool sm_object_is_process_shared(const struct sm_event *operation);
/* What was known of it holds no more. */
void sm_object_forget(const void *addr);
/* The memory is gone: free() and munmap() call this. */
void sm_sync_forget(const void *addr, size_t size);
/* The calling process is the child of a fork: hands every object back to libc. */
void sm_sync_release(void);

#endif
