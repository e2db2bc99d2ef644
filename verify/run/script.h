/*
 * script.h - an execution again, one event at a time: for a witness.
 *
 * A graph was made in an order in which reads may come before what they read from. A witness needs
 * one in which it can happen (order.h): that order is the script. The execution begins with an
 * empty graph and runs as it would without a graph, choice by choice; the script says which thread
 * goes on and what each choice is, so that the graph comes out again, and the choices are recorded
 * on the way. What follows them in another process needs no graph.
 */
#ifndef SM_VERIFY_RUN_SCRIPT_H
#define SM_VERIFY_RUN_SCRIPT_H

#include "abi/choice.h"
#include "verify/graph/graph.h"

void sm_script_start(void); /* once */
/* Makes the graph at hand the script of the next execution, which begins with none; and back to the
   graph. */
void sm_script_begin(void);
void sm_script_end(void);

/* Whose turn it is; SM_NO_NODE when it is over. */
uint32_t sm_script_thread(void);
/* The event that comes next, as the script has it, or NULL; of the graph at hand, the write that it
   reads from, and its predecessor in modification order: the nearest that is there already. */
const struct sm_node *sm_script_node(void);
uint32_t sm_script_stamp(void); /* its number there, or SM_NO_NODE */
uint32_t sm_script_rf(void);
uint32_t sm_script_place(void);
/* It has come. */
void sm_script_added(void);

/* tso, pso: the write that lands now, or SM_NO_NODE; and it has. */
uint32_t sm_script_landing(void);
void sm_script_landed(void);

/* A choice of n; when a script is followed, the answer is `wanted`. */
uint32_t sm_script_choose(enum sm_purpose purpose, uint32_t n, uint32_t wanted);
uint32_t sm_script_wanted(void);
/* Which of the continuations of an event the script takes (sm_stepper.choose). */
uint32_t sm_script_pick(enum sm_purpose purpose, const uint32_t *options, uint32_t n);

#endif
