/*
 * races.h - the data races of every execution explored (docs/memory-models.md).
 *
 * Two accesses of a graph to one location, one of them a write, one of them plain, neither
 * before the other in happens-before. Each pair of places is reported once.
 */
#ifndef SM_VERIFY_CONSISTENCY_RACES_H
#define SM_VERIFY_CONSISTENCY_RACES_H

#include "verify/graph/graph.h"

void sm_races_start(void); /* also forgets what was found */
void sm_races_look(const struct sm_graph *graph);
void sm_races_publish(void); /* to the control block */

#endif
