/*
 * guard.c - guards of function-local static variables in C++.
 *
 * The thread that initialises the variable releases the guard before others may pass; a thread that
 * finds it initialised acquires it. Later ones read the guard by an atomic load of the program's
 * own, of its first byte: the same object.
 */
#include <stdint.h>

#include "core/libc/real.h"
#include "native/sync.h"

/* From libstdc++: a program in C neither has nor calls them. */
SM_EXPORT int __cxa_guard_acquire(uint64_t *guard);
SM_EXPORT void __cxa_guard_release(uint64_t *guard);
SM_EXPORT void __cxa_guard_abort(uint64_t *guard);

/* Also after an aborted initialisation: what it did happens before the next attempt. */
SM_EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
    int result = SM_REAL(__cxa_guard_acquire)(guard);
    sm_acquire(guard, SM_KEY_BYTE);
    return result;
}

SM_EXPORT void __cxa_guard_release(uint64_t *guard)
{
    sm_release(guard, SM_KEY_BYTE);
    SM_REAL(__cxa_guard_release)(guard);
}

SM_EXPORT void __cxa_guard_abort(uint64_t *guard)
{
    sm_release(guard, SM_KEY_BYTE);
    SM_REAL(__cxa_guard_abort)(guard);
}
