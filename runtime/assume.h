/*
 * assume.h - runs the program as if it were repaired (abi/repair.h).
 *
 * When a module registers, its rows of the site table are changed to those of the repaired source,
 * so that kinds and orders are right for all later readers, including the driver. What a row
 * cannot express is kept separately: fences, locks, accesses merged into one read-modify-write. A
 * site with any of these, or with a changed row, has SM_SITE_ASSUMED. The hooks test that flag
 * together with SM_SITE_VOLATILE, so an execution without repairs pays nothing.
 *
 * A lock over a range of lines is taken at the first site of the function in the range, and
 * released at the next site outside it, when the function returns, or when a hook finds that its
 * frame is gone. Sites of kind SM_SITE_LINE (calls, back edges) tell where a thread is between its
 * accesses; those of callees change nothing.
 *
 * A merged pair is a load and, in place of the store, a compare-exchange with the loaded value. In
 * sampled executions no other thread runs between the two. Where executions are enumerated, those
 * in which the compare-exchange fails are dropped: in another one the load reads what the
 * compare-exchange reads, and that one is the read-modify-write.
 *
 * Called by the running thread only.
 */
#ifndef SM_RUNTIME_ASSUME_H
#define SM_RUNTIME_ASSUME_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/site.h"
#include "runtime/thread.h"

/* There are repairs. */
extern bool sm_assuming;

/* Changes the rows of a module that registers. */
void sm_assume_module(const struct sm_module *module);
/* All modules that the program starts with are registered: refuses the command if a repair matches
   none of their sites, or names a lock that they do not have. */
void sm_assume_check(void);
/* A lock is assumed over lines of this function: sm_enter and sm_leave must be called. */
bool sm_assume_traces(const struct sm_function *function);

/* Around the access of a site with the flag. `frame`: of its function; `pc`: inside it. The result
   is passed to sm_assume_after. */
uint64_t sm_assume_before(const struct sm_site *site, uintptr_t frame, void *pc);
void sm_assume_after(const struct sm_site *site, uint64_t locked, uint64_t result, void *pc);
/* A hash of the state of a thread besides its registers and its stack. */
uint64_t sm_assume_state(const struct sm_thread *thread);
/* A site that is not an access, or one that is never repaired. */
void sm_assume_visit(const struct sm_site *site, uintptr_t frame, void *pc);

/* The load or the store of a merged pair. */
bool sm_assume_merges(const struct sm_site *site);
uint64_t sm_assume_merged_load(struct sm_event *event);
/* event->value: the value to store. */
void sm_assume_merged_store(struct sm_event *event);

void sm_assume_enter(uintptr_t frame, const struct sm_function *function, void *pc);
void sm_assume_leave(uintptr_t frame, const struct sm_function *function, void *pc);
/* The running thread ends: it has left all functions. */
void sm_assume_thread_ends(void);

#endif
