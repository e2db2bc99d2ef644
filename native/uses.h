/*
 * uses.h - races between uses of a synchronisation object and its initialisation or destruction.
 *
 * The behaviour is undefined in POSIX if one thread uses a mutex, condition variable, barrier or
 * semaphore while another initialises or destroys it. The detector treats a use as an atomic read
 * of the object's first byte, and initialisation and destruction as plain writes: two that are
 * unordered are a race on the object.
 *
 * A lock is used too often for a mark at each use. Its clock holds what the threads that released
 * it had seen, so a writer that has not seen all of that races with the last of them (record.c);
 * and a thread that acquires it checks the writes that its record lists (uses.c).
 */
#ifndef SM_NATIVE_USES_H
#define SM_NATIVE_USES_H

#include "abi/site.h"

/* Accesses that a call makes to its synchronisation object. */
extern const struct sm_site sm_use_site, sm_life_site;

/* Before the call; pc: its return address. An end drops the object's clocks. */
void sm_object_begins(const volatile void *object, const void *pc);
void sm_object_is_used(const volatile void *object, const void *pc);
void sm_object_ends(const volatile void *object, const void *pc);
/* The same for an object that shares its granule. */
void sm_object_part_ends(const volatile void *object, const void *pc);
/* A lock was taken; its clock is not acquired yet. */
void sm_lock_is_used(const volatile void *lock);
/* A lock was not taken. Nobody will release what the thread has seen, so this use has a mark. */
void sm_lock_is_tried(const volatile void *lock);

#endif
