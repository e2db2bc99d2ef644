/*
 * parcel.h - a part of the exploration, handed to another process (`verify --jobs`).
 *
 * What is pending is a set of graphs, and none of them is explored with a look at another. So a
 * process that has nothing to do is given every second one that a busy process has: about half of
 * what is left, so that parts need not be handed over again and again. With them goes what the
 * graphs rest on and what was learnt so far: the numbers of locations and threads, the loops that
 * wait.
 *
 * A parcel lies in the memory of the trace, which is in use only while a violation is recorded and
 * when outcomes are published; who needs it waits until the driver has fetched the parcel.
 *
 * Between machines (`verify --parcels`) parcels lie in files. What a process counts must then not
 * be lost with it: now and then the driver asks for a checkpoint, which is all that is pending, as
 * a parcel, and what was counted until then; for another machine one of the parcels is split off in
 * the same moment. The process goes on, and keeps its trees.
 *
 * When a process finds that more is shared than was known, what all of them have counted is
 * void: it ends with a parcel that has no graph, and the driver begins again with that.
 */
#ifndef SM_VERIFY_RESULTS_PARCEL_H
#define SM_VERIFY_RESULTS_PARCEL_H

#include <stdbool.h>
#include <stddef.h>

struct sm_parcel {
    char *at, *end;
};
/* What was put in one after the other is taken out in the same order. */
void sm_parcel_put(struct sm_parcel *parcel, const void *from, size_t size);
void sm_parcel_take(struct sm_parcel *parcel, void *to, size_t size);

/* Once, after everything has started: unpacks what the driver has left, if it has. */
void sm_parcel_start(void);
/* All of the memory that parcels lie in. */
struct sm_parcel sm_parcel_memory(void);
/* Between executions: gives what the driver wants, if there is enough. */
void sm_parcel_give(void);
/* Before the trace is needed for something else. */
void sm_parcel_wait(void);
/* Other processes have parts of this exploration. */
bool sm_parcel_is_part(void);
/* What was learnt goes to the driver, without a graph. */
void sm_parcel_give_knowledge(void);

/* Of this process so far. */
double sm_processor_seconds(void);

#endif
