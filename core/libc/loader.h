/*
 * loader.h - the dynamic loader's calls of what the runtimes intercept.
 *
 * It allocates what belongs to it and to libc (thread-local storage of libraries, say), orders that
 * by its own locks, which nobody sees, and frees it in whichever thread comes by.
 */
#ifndef SM_CORE_LIBC_LOADER_H
#define SM_CORE_LIBC_LOADER_H

#include <stdbool.h>
#include <stdint.h>

/* Is this address of code the loader's? */
bool sm_is_loader(uintptr_t pc);

#endif
