/*
 * races.h - the data races of every execution explored (docs/memory-models.md).
 *
 * Two accesses of a graph to one location, one of them a write, one of them plain, neither
 * before the other in happens-before. Each pair of places is reported once, with both stacks: the
 * first execution that has it is run again for them. Models hb and oota have no graphs
 * (states/conflicts.h).
 */
#ifndef SM_VERIFY_CONSISTENCY_RACES_H
#define SM_VERIFY_CONSISTENCY_RACES_H

#include "abi/race.h"
#include "verify/graph/graph.h"

void sm_races_start(void); /* also forgets what was found */
void sm_races_look(const struct sm_graph *graph);
/* A race between two accesses, each known by a number of the caller's. */
void sm_races_add(const struct sm_race_access *first, uint32_t first_number,
                  const struct sm_race_access *second, uint32_t second_number);
/* This pair of places is among the races already, and was counted. */
bool sm_races_again(uint32_t site, uint32_t other);
bool sm_races_any(void);     /* there is one */
void sm_races_publish(void); /* to the control block */

/* Stacks are taken when an execution is run again that has the races found last. There are some
   without stacks; the running thread is at the access with this number; the run is over. */
bool sm_races_lack_stacks(void);
void sm_races_meet(uint32_t number);
void sm_races_met(void);

#endif
