/*
 * leaks.h - leaks at the program's exit: blocks from malloc without a pointer to them, and threads
 * that have ended and are neither joined nor detached.
 *
 * A block is reachable if an aligned word that points into it is in the memory of the program and
 * its libraries, on the stack of a live thread, among its registers or thread-specific data, or in
 * a reachable block: anything that looks like a pointer counts as one. So a reported block leaks,
 * unless its pointer is stored in another form (exclusive or of two) or elsewhere (in the kernel,
 * in a file). Only blocks that instrumented code allocated directly are reported, once for each
 * place.
 */
#ifndef SM_ANALYSIS_LEAKS_H
#define SM_ANALYSIS_LEAKS_H

void sm_leaks_look(void);

#endif
