/*
 * words.h - source names of the threads, places and memory of an execution.
 *
 * The runtime leaves program counters and addresses in the control block; here, while the program
 * is still the same, they become functions, lines and variables of the witness (sm_witness.calls,
 * names, threads). findings/voice.h makes sentences of them.
 */
#ifndef SM_TARGET_WORDS_H
#define SM_TARGET_WORDS_H

#include "abi/control.h"
#include "witness/witness.h"

struct sm_symbols;

/* Fills in calls, names and threads of a witness that has its records and sites. */
void sm_words_find(struct sm_witness *witness, const struct sm_control *control);
/* The start function of a thread, to be freed; NULL if it is a library's, or unknown. */
char *sm_words_thread(const struct sm_control *control, struct sm_symbols *symbols,
                      uint32_t thread);
/* The innermost frame that is not in a system header; NULL if all are. */
const struct sm_place *sm_stack_user_frame(const struct sm_stack *stack);

#endif
