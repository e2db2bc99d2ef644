/*
 * leaks.h - what the program leaves behind when it exits: blocks from malloc that nobody points to,
 * and threads that have ended and are neither joined nor detached.
 *
 * A block is reachable if a word that is aligned and points into it is in the memory of the program
 * and its libraries, on the stack of a thread that lives, among its registers or thread-specific
 * data, or in a reachable block: what looks like a pointer counts as one. So what is told leaks,
 * but for pointers that no word holds as they are (exclusive or of two, in the kernel, in a file).
 * Only blocks that instrumented code has allocated by itself are told, once for each place.
 */
#ifndef SM_ANALYSIS_LEAKS_H
#define SM_ANALYSIS_LEAKS_H

void sm_leaks_look(void);

#endif
