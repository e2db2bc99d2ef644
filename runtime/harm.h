/*
 * harm.h - errors that the runtime itself detects: memory errors, misuse of locks, and so on.
 *
 * The kinds are those of abi/failures.def. One of severity ERROR ends the execution like a failed
 * assertion: it is reported with its place and stack, held while a foreseen value is not stored,
 * recorded, replayed, and a violation in verify. One of severity WARNING is added to the warnings
 * of the control block, each kind and place once, and the execution continues.
 *
 * Called by the running thread, within an event (then that event's site is the place) or within an
 * intercepted call (then the innermost frame of the program is).
 */
#ifndef SM_RUNTIME_HARM_H
#define SM_RUNTIME_HARM_H

#include "abi/control.h"
#include "runtime/event.h"

/* A further place: where the block was allocated, the lock taken. */
struct sm_harm_place {
    enum sm_role role;
    uint32_t thread;
    uint32_t stack;             /* number of runtime/stack.h; 0: unknown */
    uintptr_t pc;               /* inside the call, or 0; told if the stack is unknown */
    const struct sm_site *site; /* or NULL */
};

/* `addr` is that of the memory or object. The text must not contain what differs between executions
   (addresses, numbers of threads): it identifies the error. */
void sm_harm(enum sm_failure_kind kind, uintptr_t addr, const struct sm_harm_place *places,
             uint32_t n_places, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same for a place other than that of the running thread. */
void sm_harm_at(enum sm_failure_kind kind, uintptr_t addr, const struct sm_harm_place *at,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
