/*
 * probe.h - a read of a spin loop is tried before it is an event.
 *
 * Where a read is known to be that of a spin loop (await.h), the thread is given the newest value
 * without a node in the graph. If it comes back to the same read in the same state, or passes the
 * header of its loop with all that is live unchanged (iteration.h), the value was
 * futile: nothing has happened, and the thread is run again only when the location has a newer
 * write, or when no other thread is enabled. If it does anything else, the node is added first: no
 * other thread has run in between, so it is as if it had been there from the start. So a spinning
 * thread does not fill the graph with reads that must be revisited: a ticket lock with 6 threads
 * has 720 graphs, and had 36,171 more in which a thread was blocked.
 *
 * Futile values are remembered, with the state of the thread: such a value is no longer offered to
 * it when there is a newer one.
 */
#ifndef SM_VERIFY_LOOPS_PROBE_H
#define SM_VERIFY_LOOPS_PROBE_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"
#include "verify/trees/local.h"

void sm_probe_start(void); /* once */
void sm_probe_begin(void); /* before each execution */

/* A new read of the thread, by a loop that is known to wait: gives it a value. `local`: the event
   in its tree. */
void sm_probe_read(struct sm_event *event, uint16_t loc, uint32_t local);
/* The thread has come to an access: was the last read futile? */
void sm_probe_access(const struct sm_event *event);
/* The thread does something: what it has read becomes an event. */
void sm_probe_settle(uint32_t thread);
void sm_probe_settle_all(void);
/* It has been given a value, and has no node for it yet. */
bool sm_probe_is_active(uint32_t thread);
/* Then: it is at the header of the loop again, and nothing has changed (iteration.h). */
void sm_probe_idle(uint32_t thread);
/* Its last read was futile; and what it read is still the newest value. */
bool sm_probe_waited(uint32_t thread);
bool sm_probe_waits(uint32_t thread);

/* A thread in this state, at a read, spins on this value. */
void sm_probe_remember(uint64_t state, uint64_t value);
bool sm_probe_is_futile(uint64_t state, uint64_t value);
void sm_probe_pack(struct sm_parcel *parcel);
void sm_probe_unpack(struct sm_parcel *parcel);

#endif
