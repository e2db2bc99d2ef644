/*
 * uses.h - the life of a synchronisation object against its uses.
 *
 * POSIX leaves open what happens when one thread uses a mutex, a condition variable, a barrier, a
 * semaphore that another initialises or destroys. To the detector a use is an atomic read of the
 * object's first byte, its initialisation and its end are plain writes: two that are not ordered
 * are a race on the object.
 *
 * A lock is used too often for a mark at each use. What its clock holds is what those who gave it
 * up had seen, so a writer that has not seen all of that races with the last of them (record.c);
 * and who takes it looks at the writes that its record lists (sync.c).
 */
#ifndef SM_NATIVE_USES_H
#define SM_NATIVE_USES_H

#include "abi/site.h"

/* Of accesses that a call makes to the object it is about. */
extern const struct sm_site sm_use_site, sm_life_site;

/* Before the call; pc: where it returns to. An end forgets the object's clocks. */
void sm_object_begins(const volatile void *object, const void *pc);
void sm_object_is_used(const volatile void *object, const void *pc);
void sm_object_ends(const volatile void *object, const void *pc);
/* The same for one that has its granule not to itself. */
void sm_object_part_ends(const volatile void *object, const void *pc);
/* A lock was asked for, and nothing is acquired yet. */
void sm_lock_is_used(const volatile void *lock);

#endif
