/*
 * effects.h - the whole state of a thread, as a hash: two nodes of a tree (local.h) at which it is
 * equal, and which have the same event, are one.
 *
 * It is what the thread has in registers and on its stack, what it has stored where no other thread
 * looks, and what has been printed. That is all only if every effect of the program is visible
 * (whole.h).
 */
#ifndef SM_VERIFY_TREES_EFFECTS_H
#define SM_VERIFY_TREES_EFFECTS_H

#include "runtime/event.h"

void sm_effects_start(void); /* once */
void sm_effects_begin(void); /* before each run */
/* Every effect of the program is visible. */
bool sm_effects_are_known(void);

/* The thread stores to private memory, allocates or frees some. */
void sm_effects_note(const struct sm_event *event);
/* It has changed something unknown. */
void sm_effects_note_unknown(uint32_t thread);
bool sm_effects_are_lost(uint32_t thread);
/* It has joined a thread that left these effects. */
void sm_effects_join(uint32_t thread, uint64_t left);
/* At the end of a thread: its effects, the result among them. */
uint64_t sm_effects_at_end(const struct sm_thread *thread);

/* The state of the thread that is at this event, its `position`th; 0: it cannot be determined. */
uint64_t sm_effects_state(const struct sm_event *event, uint16_t position);

#endif
