/*
 * scene.h - the context of a race for its report: which locks the threads held, where the threads
 * were created, and where the memory was allocated.
 *
 * Every access must be stored before it is known to race, so its context must be small: the locks
 * of a thread are a list of immutable nodes, shared between all accesses made under them.
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
/* The block that starts here, as last allocated. */
void sm_scene_block(struct sm_race_block *to, uintptr_t start);

#endif
