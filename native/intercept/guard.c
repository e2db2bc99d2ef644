/*
 * guard.c - variables of C++ functions that are made when they are first come by.
 *
 * Whoever made one releases it before others may pass; who was told that it is made comes after.
 * Those who come later see the guard by an atomic load of the program's own, of its first byte:
 * the same object.
 */
#include <stdint.h>

#include "core/libc/real.h"
#include "native/sync.h"

/* libstdc++'s: a program in C has none, and calls none. */
SM_EXPORT int __cxa_guard_acquire(uint64_t *guard);
SM_EXPORT void __cxa_guard_release(uint64_t *guard);
SM_EXPORT void __cxa_guard_abort(uint64_t *guard);

/* Also after an attempt that was given up: what it did is seen by the next. */
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
