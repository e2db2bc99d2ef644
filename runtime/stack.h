/*
 * stack.h - call stacks, each stored once and identified by a number.
 *
 * Stacks are walked by frame pointers, which `stalemate cc` keeps; frames of the runtime itself
 * are omitted. Number 0 is the unknown stack.
 */
#ifndef SM_RUNTIME_STACK_H
#define SM_RUNTIME_STACK_H

#include <stdint.h>

#include "runtime/thread.h"

/* The stack of the running thread, innermost first, at most `limit` program counters that
   lie inside the calls; returns how many. `pc` comes first if it is not 0. */
uint32_t sm_stack_walk(const struct sm_thread *thread, uintptr_t pc, uintptr_t frame, uint64_t *to,
                       uint32_t limit);

/* The program's stack pointer at its call of the runtime: everything below it on that stack belongs
   to functions that have returned. 0: not known. `event` is the one that the thread is at, if there
   is one: those of the pass's hooks know the stack pointer, for others the stack is walked. */
uintptr_t sm_stack_pointer(const struct sm_thread *thread, const struct sm_event *event);
/* The program switches stacks itself (swapcontext), perhaps to one inside a frame: for the rest of
   this execution no stack pointer is known. */
void sm_stack_switched(void);

/* The number of a stack. */
uint32_t sm_stack_keep(const uint64_t *pc, uint32_t depth);
/* The number of the calling thread's current stack. */
uint32_t sm_stack_now(void);
/* The same at its event. */
uint32_t sm_stack_at(const struct sm_event *event);
/* The program counters of a stack, and how many. */
const uint64_t *sm_stack_get(uint32_t number, uint32_t *depth);
/* The number of the stack in records and the control block; 0 if there is no room. */
uint32_t sm_stack_export(uint32_t number);
void sm_stack_start(void);

#endif
