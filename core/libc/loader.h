/*
 * loader.h - recognises calls of intercepted functions by the dynamic loader.
 *
 * The loader allocates memory for itself and libc (thread-local storage of libraries, for example),
 * protects it by its own locks, which are not intercepted, and frees it in any thread.
 */
#ifndef SM_CORE_LIBC_LOADER_H
#define SM_CORE_LIBC_LOADER_H

#include <stdbool.h>
#include <stdint.h>

/* Is this code address in the loader? */
bool sm_is_loader(uintptr_t pc);

#endif
