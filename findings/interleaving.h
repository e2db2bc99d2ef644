/*
 * interleaving.h - which steps of an execution without lies made it fail?
 *
 * A thread accesses a location twice, and another thread's access comes between, so that no serial
 * order of the two threads has the same values: read, write by another, write (a lost update), and
 * so on, the four patterns of Lu, Tucek, Qin and Zhou (AVIO, ASPLOS 2006). An execution has many of
 * them, most of them harmless. Preferred are those that begin at a preemption, because hunt has
 * reduced the schedule; whose location the failing thread reads at the end; and whose two accesses
 * are close together. ABA is told by name: a compare-exchange that finds the old value again, and
 * stores what its thread had read before another one changed it.
 */
#ifndef SM_FINDINGS_INTERLEAVING_H
#define SM_FINDINGS_INTERLEAVING_H

#include "witness/witness.h"

/* Numbers of records, in order; returns how many, 0 if there is no such pattern. `matters` is
   sm_events_that_matter's. */
size_t sm_interleaved_steps(const struct sm_witness *witness, const bool *matters, size_t *steps,
                            size_t most);
/* What would have prevented it, with the lines; owned, NULL if the user's code has no such
   pattern. */
char *sm_interleaving_remedy(const struct sm_witness *witness);

#endif
