/*
 * script.h - runs an execution again, event by event, for a witness.
 *
 * A graph is built in an order in which reads may come before the writes they read from. A witness
 * needs an order in which it can happen (order.h): the script. The execution starts with an empty
 * graph and runs choice by choice; the script says which thread runs and what each choice is, so
 * that the same graph results, and the choices are recorded. A replay of them in another process
 * needs no graph.
 */
#ifndef SM_VERIFY_RUN_SCRIPT_H
#define SM_VERIFY_RUN_SCRIPT_H

#include "abi/choice.h"
#include "verify/graph/graph.h"

void sm_script_start(void); /* once */
/* Makes the current graph the script of the next execution, which starts with an empty one;
   restores the graph. */
void sm_script_begin(void);
void sm_script_end(void);

/* The next thread; SM_NO_NODE when the script is over. */
uint32_t sm_script_thread(void);
/* The next event of the script, or NULL; in the current graph, the write it reads from, and its
   nearest mo-predecessor that is already there. */
const struct sm_node *sm_script_node(void);
uint32_t sm_script_stamp(void); /* its number in the script, or SM_NO_NODE */
uint32_t sm_script_rf(void);
uint32_t sm_script_place(void);
/* The event was added. */
void sm_script_added(void);

/* tso, pso: the write that lands now, or SM_NO_NODE; it has landed. */
uint32_t sm_script_landing(void);
void sm_script_landed(void);

/* A choice of n; when a script is followed, the answer is `wanted`. */
uint32_t sm_script_choose(enum sm_purpose purpose, uint32_t n, uint32_t wanted);
uint32_t sm_script_wanted(void);
/* Which alternative of an event the script takes (sm_stepper.choose). */
uint32_t sm_script_pick(enum sm_purpose purpose, const uint32_t *options, uint32_t n);

#endif
