/* choice.h - the only source of nondeterminism in an execution. See abi/choice.h. */
#ifndef SM_RUNTIME_CHOICE_H
#define SM_RUNTIME_CHOICE_H

#include "abi/choice.h"

/* One of 0..n-1; 0 is the default answer. `context` is purpose-specific and may be NULL: for the
   policy, not for the recording. n == 1 is not a choice: it returns 0 and is not counted. */
uint32_t sm_choose(enum sm_purpose purpose, uint32_t n, const void *context);

/* Deterministic pseudo-random numbers for intercepted rand(), getrandom() and the like: a separate
   stream, so that a program that draws more does not change the schedule. */
uint64_t sm_program_random(void);

#endif
