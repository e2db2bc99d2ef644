/*
 * choice.h - the list of choices is the execution.
 *
 * Whenever an execution has n > 1 alternatives, the runtime asks for one of 0..n-1, for a stated
 * purpose. 0 is always the default: continue the same thread, read the newest store, do not flush,
 * do not time out. A recorded list holds only the answers that were not 0, so that it is short, and
 * so that a witness is shrunk by leaving entries out.
 *
 * `index` says exactly when the choice was made, and is what replay uses. If an entry is left out,
 * the indices of later entries are no longer right; their places (thread, point, purpose, nth)
 * mostly are; the option `lenient` uses those.
 */
#ifndef SM_ABI_CHOICE_H
#define SM_ABI_CHOICE_H

#include <stdint.h>

enum sm_purpose {
#define SM_PURPOSE(name, word) SM_PURPOSE_##name,
#include "abi/purposes.def"
    SM_PURPOSES
};

struct sm_choice {
    uint64_t index;  /* how many choices (of n > 1) the execution had made before */
    uint32_t n;      /* alternatives */
    uint32_t pick;   /* 1..n-1 */
    uint8_t purpose; /* enum sm_purpose */
    uint8_t nth;     /* choices for this purpose made before at this point, at most 255 */
    uint16_t thread; /* the running thread */
    uint32_t point;  /* number of scheduling points that thread had reached */
};
_Static_assert(sizeof(struct sm_choice) == 24, "wire format");

#endif
