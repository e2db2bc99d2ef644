/*
 * paths.h - what instrumented code calls, and what it looks at inline.
 *
 * The functions with SM_COLD_PATH stand behind an inline check that failed. They keep every
 * register but r11, so that the code around the check stays as good as it was; the runtime
 * defines them in shadow.c, which uses no vector register. The others are ordinary calls.
 */
#ifndef SM_DETECT_PATHS_H
#define SM_DETECT_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "history.h"

/* What the inline paths know of the running thread. Written only by its thread. */
struct sm_own {
    uint32_t epoch; /* the current one; changes at every release. 0: nothing is checked */
    uint32_t reserved;
    struct sm_history *history; /* never NULL */
};
extern __thread struct sm_own sm_own __attribute__((tls_model("initial-exec")));

#define SM_COLD_PATH __attribute__((preserve_all))

#define SM_PATH(name) SM_COLD_PATH void sm_##name(uintptr_t addr, const struct sm_site *site);
#include "paths.def"

#endif
