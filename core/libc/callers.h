/*
 * callers.h - which calls of libc count as accesses of the program.
 *
 * A library that was not built with Stalemate synchronises in ways that nobody sees, so what its
 * calls do to buffers, descriptors and locks is not checked (ThreadSanitizer's
 * ignore_noninstrumented_modules). The edges of its calls count. The C++ library calls on behalf of
 * the program.
 */
#ifndef SM_CORE_LIBC_CALLERS_H
#define SM_CORE_LIBC_CALLERS_H

#include <stdbool.h>

/* The object file that the address lies in is instrumented. While the loader adds a module, or
   before the program starts. */
void sm_callers_add(const void *inside);
/* Before the program starts: the libraries that call on behalf of the program. */
void sm_callers_init(void);
extern bool sm_all_callers_count; /* whatever library they are in */
/* Does a call that returns here count? */
bool sm_caller_counts(const void *pc);

#endif
