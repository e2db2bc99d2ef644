/* init.h - from the loader to the program's main, and out of control again. */
#ifndef SM_RUNTIME_INIT_H
#define SM_RUNTIME_INIT_H

#include <stdbool.h>

/* The program is to be controlled, and its constructors run: main has not begun. */
bool sm_starting(void);
/* The same, and the caller is the initial thread: those that constructors create run freely. */
bool sm_starting_here(void);

/* Gives up control of the program: no hook and no interceptor does anything any more. For the child
   of a fork, which must not write to its parent's record. */
void sm_release(void);

#endif
