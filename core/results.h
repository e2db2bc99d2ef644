/*
 * results.h - describes the failure of a call. For both runtimes; see results.def.
 */
#ifndef SM_CORE_RESULTS_H
#define SM_CORE_RESULTS_H

#include <stddef.h>
#include <stdint.h>

enum sm_result_of {
#define SM_RESULT(name, style) SM_RESULT_##name,
#include "core/results.def"
    SM_RESULTS
};

/* "pthread_mutex_lock fails with EDEADLK, and the program does not look at the result", with
   `object` (a name, or "") after the function. Empty: it has not failed. `number` is errno's
   value. */
void sm_result_describe(enum sm_result_of call, int64_t result, int number, const char *object,
                        char *to, size_t room);

#endif
