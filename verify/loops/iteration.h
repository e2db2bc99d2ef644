/*
 * iteration.h - iterations of retry loops that have no effect.
 *
 * An iteration has no effect if the thread stored nothing (a read-modify-write that leaves the
 * value unchanged does not count, nor does a store to a local that is dead at the header, nor one
 * of the value that is there to memory that no other thread accesses in conflict), taken no lock
 * that it still holds, printed nothing, freed what it allocated, and is back at the loop's header
 * with the state that the next iteration depends on unchanged (plugin/iterations.h). The thread is
 * then blocked: executions in which another iteration follows show nothing new. GenMC does the same
 * where it can prove it statically (spin-assume); here it is decided dynamically.
 *
 * Why it is sound. Let E be an execution in which the iteration I is followed by another one.
 * Remove the events of I; reads from a read-modify-write w of I, which wrote the value it had read
 * from w0, now read from w0. The result E' is an execution of the program: the thread is in the
 * same state without I, all others read the same values. It is consistent in each model: reads,
 * fences and w only add edges. A cycle of E' through a changed edge w0 -> r gives a cycle of E
 * through w0 -> w -> r, and a write that is mo-after w0 in E' is mo-after w in E, since w is next
 * to w0 in modification order. Happens-before of E' is a subset of that of E, so E' has every race
 * of E among the events that are left. E' has fewer events than E, so repeating this ends in an
 * execution without such iterations, and that one is explored. A failure in I itself (an
 * assertion, a race of one of its reads) shows in the graph in which the thread is blocked after
 * it.
 *
 * A reload (plugin/iterations.h): the loop was entered right after a load R of x, I has read x
 * again, with an order at least as strong, and the next iteration depends on that value alone where
 * I depended on R's. E' keeps that read in place of R. Only of the first iteration since the loop
 * was entered: later ones may have effects between the read and the header.
 *
 * A block that the iteration has allocated and freed, and that no other thread has seen, vanishes
 * with it. Later blocks have other addresses in E', as they may have in any other run of the
 * program.
 *
 * Liveness: a blocked thread whose reads in I all saw the newest writes would repeat the iteration
 * for ever (sm_await_stays_blocked), unless it has reloaded another value.
 *
 * Loops that count (plugin/counters.h): `for (i = 0; i < 16; i++) if (load(&x)) return true;`. The
 * counter is not part of the state: it is dead outside the loop, and an iteration does the same
 * whatever it is. So if the execution leaves the loop by another exit after I, I is removed as
 * above. If it leaves the loop by its counter, it does so after a fixed number of iterations, and
 * they cannot just be removed. Instead the loop ends, as if by its counter, right after an I that
 * is a single event, a read r of a write w. An execution E in which all iterations failed becomes
 * E' with the last one of them alone, which is explored if that is a single read; if it is not, the
 * loop goes on. Conversely E' is an execution of the program: repeat r as often as there were
 * iterations to come. All of them may read from w: the thread does nothing else between them, and
 * so r itself would already have been inconsistent otherwise. (Not so if there is more than one
 * event: after the second read of an iteration its first one may not be repeated, as in
 * counted_once.c; or with a fence, which orders w before itself.) Its outcomes, races and
 * violations are those of the program; its witness has fewer tries, and a replay ends the loop at
 * the same point.
 *
 * A library function that fails sets errno, which is compared, too.
 *
 * Additions that the iteration undoes: undone.h.
 *
 * Needs a program whose effects are all visible (whole.h). Off with --count, which explores each
 * execution.
 */
#ifndef SM_VERIFY_LOOPS_ITERATION_H
#define SM_VERIFY_LOOPS_ITERATION_H

#include "runtime/engine.h"

void sm_iteration_start(void); /* once */
void sm_iteration_begin(void); /* before each execution */
bool sm_iteration_is_on(void);

/* The thread stores, or does anything else that another thread, or it itself, could notice later.
 */
void sm_iteration_note_effect(uint32_t thread);
/* A number that changes with each effect. */
uint32_t sm_iteration_effects(uint32_t thread);
/* The address, on the thread's own stack, is that of a local that is dead at the header of every
   loop that the thread is in: of a function called from there, or of the loop's function, if no
   local whose address escapes is live at the header (plugin/iterations.h). */
bool sm_iteration_forgets(uint32_t thread, uintptr_t addr);
/* The thread allocates a block, which it may free; or frees one. */
void sm_iteration_note_allocation(uint32_t thread, uintptr_t addr, size_t size);
void sm_iteration_note_free(uint32_t thread, uintptr_t addr);
/* The address is in a block that the thread has allocated since it was last at a header, and must
   free for the iteration to have no effect. */
bool sm_iteration_owns(uint32_t thread, uintptr_t addr);
/* The thread adds `change` to `size` bytes of a location, which may undo its last addition. */
void sm_iteration_note_addition(uint32_t thread, uint16_t loc, unsigned size, uint64_t change);
/* It takes a lock, or gives back one; which undoes that if it had no other effect in between. */
void sm_iteration_note_taken(uint32_t thread, uint16_t lock);
void sm_iteration_note_given_back(uint32_t thread, uint16_t lock);
/* The thread is at the header of a loop, after `index` events: was the last iteration without
   effect? */
bool sm_iteration_is_idle(uint32_t thread, const struct sm_iteration *at, uint16_t index);
/* Then: the first event of that iteration; whether the next one would begin with another reloaded
   value. */
uint16_t sm_iteration_since(uint32_t thread);
bool sm_iteration_reloads(uint32_t thread);
/* And whether it has undone its additions. If so, the graph decides whether it had an effect
   (undone.h). */
bool sm_iteration_undoes(uint32_t thread);
/* How many iterations with events the loop, at whose header it was last, has had since it was
   entered. */
uint32_t sm_iteration_rounds(uint32_t thread);
/* Hash of all that later answers depend on. */
uint64_t sm_iteration_state(uint32_t thread, uint16_t index);

#endif
