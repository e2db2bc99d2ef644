/*
 * scene.h - what a report of a race says besides the two accesses: which locks their threads
 * held, where the threads were created, and where the memory was allocated.
 *
 * An access is remembered long before anybody knows that it races, so what it has to remember
 * must be small: the locks of a thread are a list whose nodes are shared between all accesses
 * that were made under them, and are never changed.
 */
#ifndef SM_ANALYSIS_SCENE_H
#define SM_ANALYSIS_SCENE_H

#include "abi/race.h"
#include "runtime/event.h"

/* The lock taken last, and those below it. */
struct sm_held {
    const struct sm_held *below; /* NULL: no more */
    struct sm_held *next;        /* with the same hash */
    uintptr_t lock, pc;          /* pc: within the call that took it */
};

void sm_scene_start(void);
void sm_scene_event(const struct sm_event *event);
/* NULL if the thread holds none. */
const struct sm_held *sm_scene_locks(uint32_t thread);

/* Locks and creation of the access's thread. */
void sm_scene_access(struct sm_race_access *to, const struct sm_held *held);
/* The block that starts here, allocated by whoever did that last. */
void sm_scene_block(struct sm_race_block *to, uintptr_t start);

#endif
