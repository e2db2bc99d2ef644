/*
 * races.h - the data races of every execution explored (docs/memory-models.md).
 *
 * Two accesses of a graph to one location, at least one a write, at least one plain, unordered by
 * happens-before. Each pair of places is reported once, with both stacks: the first execution with
 * the race is run again to get them. Models hb and oota have no graphs: see states/conflicts.h.
 */
#ifndef SM_VERIFY_CONSISTENCY_RACES_H
#define SM_VERIFY_CONSISTENCY_RACES_H

#include "abi/race.h"
#include "verify/graph/graph.h"

void sm_races_start(void); /* also forgets the races found */
void sm_races_look(const struct sm_graph *graph);
/* Adds a race between two accesses, each with a number that the caller assigned. */
void sm_races_add(const struct sm_race_access *first, uint32_t first_number,
                  const struct sm_race_access *second, uint32_t second_number);
/* If this pair of sites is a known race: counts it once more. */
bool sm_races_again(uint32_t site, uint32_t other);
bool sm_races_any(void);
void sm_races_publish(void); /* to the control block */

/* Stacks are taken when the execution with the latest races is run again. Races without stacks
   exist; the running thread is at the access with this number; the run is over. */
bool sm_races_lack_stacks(void);
void sm_races_meet(uint32_t number);
void sm_races_met(void);

#endif
