/*
 * parcel.h - a part of the exploration, handed to another process (`verify --jobs`).
 *
 * Pending graphs are explored independently of each other. So an idle process is given every
 * second one that a busy process has: about half of the remaining work, so that handovers are
 * rare. They are sent with what the graphs depend on and what was learnt so far: the numbers of
 * locations and threads, the spin loops.
 *
 * A parcel is written to the memory of the trace, which is otherwise in use only while a violation
 * is recorded and when outcomes are published; either waits until the driver has fetched the
 * parcel.
 *
 * Between machines (`verify --parcels`) parcels are files. The counts of a process must survive
 * it: from time to time the driver asks for a checkpoint, which is all pending graphs, as a
 * parcel, and the counts so far; a parcel for another machine may be split off at the same time.
 * The process continues, and keeps its trees.
 *
 * When a process finds that more memory is shared than was known, the counts of all processes are
 * void: it ends with a parcel without graphs, and the driver restarts with that.
 */
#ifndef SM_VERIFY_RESULTS_PARCEL_H
#define SM_VERIFY_RESULTS_PARCEL_H

#include <stdbool.h>
#include <stddef.h>

struct sm_parcel {
    char *at, *end;
};
/* Items are taken out in the order in which they were put in. */
void sm_parcel_put(struct sm_parcel *parcel, const void *from, size_t size);
void sm_parcel_take(struct sm_parcel *parcel, void *to, size_t size);

/* Once, after everything has started: unpacks the parcel of the driver, if there is one. */
void sm_parcel_start(void);
/* All of the memory for parcels. */
struct sm_parcel sm_parcel_memory(void);
/* Between executions: gives the driver what it asks for, if there is enough. */
void sm_parcel_give(void);
/* Before the trace memory is needed for something else. */
void sm_parcel_wait(void);
/* Other processes have parts of this exploration. */
bool sm_parcel_is_part(void);
/* Sends what was learnt to the driver, without a graph. */
void sm_parcel_give_knowledge(void);

/* CPU time of this process so far. */
double sm_processor_seconds(void);

#endif
