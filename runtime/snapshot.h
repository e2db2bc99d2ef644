/*
 * snapshot.h - the state of a thread at an event, as a hash.
 *
 * The callee-saved registers and the stack of the program's frames: what the thread's next steps
 * depend on besides memory. The other registers are dead across the call of a hook. A snapshot
 * takes a microsecond (the unwinder finds where the runtime's frames saved the registers), and
 * longer where the stack is deep.
 */
#ifndef SM_RUNTIME_SNAPSHOT_H
#define SM_RUNTIME_SNAPSHOT_H

#include "runtime/event.h"

/* Before anything is saved (restart.h). */
void sm_snapshot_start(void);
/* `top`: the program's stack of the thread lies below. 0: there is no such state. */
uint64_t sm_snapshot_take(const struct sm_event *event, uintptr_t top);
/* The state that was just taken at this event is all that the thread has: not so if one call of the
   runtime (a copy of a struct, memcmp) makes several accesses, and keeps what it has read in frames
   of its own, which are not compared. */
bool sm_snapshot_is_whole(const struct sm_event *event);

#endif
