/*
 * whole.h - do we see all that the program stores?
 *
 * Yes, if every object file of it was compiled by stalemate-cc, and of libraries it calls only what
 * the runtime takes the place of, or what stores nothing that the program could look at
 * (KNOWN in core/libc.def). The executable's symbol table names its object files and what it calls;
 * of one that was stripped, or has libraries of its own, the answer is no.
 */
#ifndef SM_VERIFY_WHOLE_H
#define SM_VERIFY_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

bool sm_whole_is_known(void);
/* Less: of whatever the program calls we notice that it stores, though not always where. That is
   enough to say of an iteration that it has no effect (loops/iteration.h). It holds for the runtime
   of C++ (threads, exceptions, memory), for the functions on strings that are shown byte by byte,
   and for realloc(). */
bool sm_whole_shows_effects(void);
/* The first row of abi/unseen.def that the program calls, from 1; 0: none. */
uint32_t sm_whole_unseen(void);

#endif
