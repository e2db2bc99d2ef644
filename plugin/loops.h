/*
 * loops.h - the back edges at which a thread must yield.
 *
 * Under the scheduler one thread runs at a time. A thread that waits in a loop for a store of
 * another must yield, even if none of its loads is watched; so such loops count down at their back
 * edges (guard.c). Not all loops need it: where every exit depends only on values that the loop
 * computes in registers, no other thread can prolong it. Those loops are left unchanged, so that
 * the plain copy of a function is vectorised as usual.
 */
#ifndef SM_PLUGIN_LOOPS_H
#define SM_PLUGIN_LOOPS_H

#include "plugin/pass.h"

/* Terminators to count at, in *latches, to be freed; returns how many. */
size_t sm_find_latches(LLVMValueRef function, LLVMValueRef **latches);

/* The terminators of all back edges, in *terminators, to be freed; returns how many. */
size_t sm_find_back_edges(LLVMValueRef function, LLVMValueRef **terminators);

/* A loop that another thread can prolong, entered only at its header. */
struct sm_waiting_loop {
    LLVMBasicBlockRef header;
    LLVMBasicBlockRef *body; /* the header among them */
    size_t n_body;
};
/* In *loops, to be freed with sm_free_waiting_loops; returns how many. */
size_t sm_find_waiting_loops(LLVMValueRef function, struct sm_waiting_loop **loops);
void sm_free_waiting_loops(struct sm_waiting_loop *loops, size_t n);
bool sm_is_in_loop(const struct sm_waiting_loop *loop, LLVMBasicBlockRef block);

#endif
