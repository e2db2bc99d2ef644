/*
 * whole.h - are all stores of the program visible?
 *
 * Yes, if every object file was compiled by stalemate-cc, and the only library functions called
 * are those that the runtime replaces or that store nothing the program could read (KNOWN in
 * core/libc.def). The executable's symbol table names its object files and what it calls; if it is
 * stripped, or the program has its own libraries, the answer is no.
 */
#ifndef SM_VERIFY_WHOLE_H
#define SM_VERIFY_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

bool sm_whole_is_known(void);
/* Weaker: every store by code that the program calls is noticed, though not always its address.
   That is enough to decide that an iteration has no effect (loops/iteration.h). It holds for the
   C++ runtime (threads, exceptions, memory), for the string functions that are reported byte by
   byte, and for realloc(). */
bool sm_whole_shows_effects(void);
/* A row of abi/unseen.def that applies to the program, from 1; 0: none. */
uint32_t sm_whole_unseen(void);
/* A thread calls a function that the runtime intercepts (or " mapped"): notes its row, if it has
   one and other threads run. */
void sm_whole_called(const char *name);

#endif
