/*
 * mirror.h - runs of the program that check whether symmetric threads are (graph/symmetry.h).
 *
 * After a run of which a thread had a history that was not checked, the program runs again for each
 * rotation of the symmetric threads, and follows the graph with the threads exchanged. If a thread
 * does something else, or the program ends with something else, the threads are not symmetric. So
 * n symmetric threads cost n - 1 runs for each new history: without symmetry each of them would
 * have had a run to learn it. These runs add nothing to the frontier and count nothing.
 */
#ifndef SM_VERIFY_RUN_MIRROR_H
#define SM_VERIFY_RUN_MIRROR_H

#include "abi/choice.h"
#include "verify/graph/graph.h"

void sm_mirror_start(void); /* once */
/* The current run is one of these. */
bool sm_mirror_is_on(void);
/* The current graph, whose run has just ended, is to be checked; its output is still there. */
void sm_mirror_want(void);
/* Begins, if that is wanted; then, for each run that has ended, true: there is another one. */
bool sm_mirror_begin(void);
bool sm_mirror_next(void);
/* The exploration restarts. */
void sm_mirror_give_up(void);
/* The thread does something else than the one it was exchanged with. */
_Noreturn void sm_mirror_departs(uint32_t thread);
/* In place of sm_stepper.choose: what comes after the graph does not matter. */
uint32_t sm_mirror_pick(enum sm_purpose purpose, const uint32_t *options, uint32_t n);

#endif
