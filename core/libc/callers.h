/*
 * callers.h - which calls of libc count as accesses of the program.
 *
 * The synchronisation inside a library that was not built with Stalemate is invisible, so what its
 * calls do to buffers, descriptors and locks is not checked (ThreadSanitizer's
 * ignore_noninstrumented_modules). The happens-before edges of its calls count. The C++ library
 * calls on behalf of the program.
 */
#ifndef SM_CORE_LIBC_CALLERS_H
#define SM_CORE_LIBC_CALLERS_H

#include <stdbool.h>

/* Marks the object file that contains the address as instrumented. While the loader adds a module,
   or before the program starts. */
void sm_callers_add(const void *inside);
/* Before the program starts: the libraries that call on behalf of the program. */
void sm_callers_init(void);
extern bool sm_all_callers_count; /* in any library */
/* Does a call with this return address count? */
bool sm_caller_counts(const void *pc);

#endif
