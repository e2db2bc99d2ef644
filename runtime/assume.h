/*
 * assume.h - the program as it would be if it were repaired (abi/repair.h).
 *
 * When a module registers, its rows of the site table are changed to what the repaired source would
 * give: kinds and orders are right for whoever reads them afterwards, the driver included. What a
 * row cannot say is kept beside it: fences, locks, accesses that are one read-modify-write. A site
 * that has anything of that, or whose row was changed, carries SM_SITE_ASSUMED. The hooks test that
 * flag together with SM_SITE_VOLATILE, so an execution without repairs pays nothing.
 *
 * A lock over a stretch of lines is taken at the first site of the function that lies in them, and
 * released at the next one that does not, when the function returns, or when a hook sees that its
 * frame is gone. Sites of kind SM_SITE_LINE (calls, back edges) tell where a thread is between
 * its accesses; those of callees change nothing.
 *
 * A merged pair is a load, and a compare-exchange with what it read in place of the store. In
 * sampled executions no other thread runs between the two. Where executions are enumerated, one in
 * which the compare-exchange fails is dropped: there is another one in which the load has read what
 * the compare-exchange reads, and that one is the read-modify-write.
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
/* All modules that the program starts with are there: refuses the command if a repair means none of
   their sites, or a lock that they do not have. */
void sm_assume_check(void);
/* A lock is assumed over lines of this function: sm_enter and sm_leave are to be called. */
bool sm_assume_traces(const struct sm_function *function);

/* Around the access of a site with the flag. `frame`: of its function; `pc`: inside it. Returns
   what sm_assume_after is to be told. */
uint64_t sm_assume_before(const struct sm_site *site, uintptr_t frame, void *pc);
void sm_assume_after(const struct sm_site *site, uint64_t locked, uint64_t result, void *pc);
/* A hash of what a thread carries besides its registers and its stack. */
uint64_t sm_assume_state(const struct sm_thread *thread);
/* It is no access, or one that is never repaired. */
void sm_assume_visit(const struct sm_site *site, uintptr_t frame, void *pc);

/* The load or the store of a merged pair. */
bool sm_assume_merges(const struct sm_site *site);
uint64_t sm_assume_merged_load(struct sm_event *event);
/* event->value is what the program stores. */
void sm_assume_merged_store(struct sm_event *event);

void sm_assume_enter(uintptr_t frame, const struct sm_function *function, void *pc);
void sm_assume_leave(uintptr_t frame, const struct sm_function *function, void *pc);
/* The running thread ends: it has left all functions. */
void sm_assume_thread_ends(void);

#endif
