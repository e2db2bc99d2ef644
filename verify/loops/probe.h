/*
 * probe.h - a read of a spin loop is tried before it becomes an event.
 *
 * At a read that is known to be in a spin loop (await.h), the thread is given the newest value
 * without a node in the graph. If it comes back to the same read in the same state, or to the
 * header of its loop with all live state unchanged (iteration.h), the value was futile: the thread
 * is run again only when the location has a newer write, or when no other thread is enabled. If it
 * does anything else, the node is added first: no other thread has run in between, so it might
 * have been there from the start. So a spinning thread does not fill the graph with reads that
 * must be revisited: a ticket lock with 6 threads has 720 graphs; without this it had 36,171
 * blocked ones in addition.
 *
 * Futile values are remembered with the state of the thread: such a value is not offered again if
 * there is a newer one.
 */
#ifndef SM_VERIFY_LOOPS_PROBE_H
#define SM_VERIFY_LOOPS_PROBE_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"
#include "verify/trees/local.h"

void sm_probe_start(void); /* once */
void sm_probe_begin(void); /* before each execution */

/* A new read of the thread in a spin loop: gives it a value. `local`: the event in its tree. */
void sm_probe_read(struct sm_event *event, uint16_t loc, uint32_t local);
/* The thread has reached an access: was the last read futile? */
void sm_probe_access(const struct sm_event *event);
/* The thread does something: the read that it has probed becomes an event. */
void sm_probe_settle(uint32_t thread);
void sm_probe_settle_all(void);
/* It has been given a value that has no node yet. */
bool sm_probe_is_active(uint32_t thread);
/* Then: it is at the header of the loop again, with unchanged state (iteration.h). */
void sm_probe_idle(uint32_t thread);
/* Its last read was futile; and the value is still the newest. */
bool sm_probe_waited(uint32_t thread);
bool sm_probe_waits(uint32_t thread);

/* A thread in this state, at a read, spins on this value. */
void sm_probe_remember(uint64_t state, uint64_t value);
bool sm_probe_is_futile(uint64_t state, uint64_t value);
void sm_probe_pack(struct sm_parcel *parcel);
void sm_probe_unpack(struct sm_parcel *parcel);

#endif
