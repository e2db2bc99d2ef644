/*
 * paths.h - what instrumented code calls, and what it looks at inline.
 *
 * The functions with SM_COLD_PATH stand behind an inline check that failed. They keep every
 * register but r11, so that the code around the check stays as good as it was; the runtime
 * defines them in paths.c, which uses no vector register. The others are ordinary calls.
 */
#ifndef SM_NATIVE_PATHS_H
#define SM_NATIVE_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "native/cell.h"
#include "native/history.h"

/* What the inline paths know of the running thread. Written only by its thread. */
struct sm_own {
    struct sm_cell all; /* in each lane the mark of a write to all bytes in the current epoch */
    uint32_t epoch;     /* the current one; changes at every release. 0: nothing is checked */
    uint32_t lane;      /* where the thread's marks go if there is room: neighbours in one lane */
    struct sm_call_history *history; /* never NULL */
};
extern __thread struct sm_own sm_own
    __attribute__((tls_model("initial-exec"), visibility("default")));

#define SM_COLD_PATH __attribute__((preserve_all))
#define SM_PATH_EXPORT __attribute__((cold, visibility("default")))

#define SM_PATH(name)                                                                              \
    SM_COLD_PATH SM_PATH_EXPORT void sm_##name(uintptr_t addr, const struct sm_site *site);
#include "native/paths.def"

/* Neighbours: accesses to as many granules in a row, each of all its bytes, all made or none,
   in one epoch. The pass leaves this in the program; there are 2 to SM_WORDS_MAX of them. */
#define SM_WORDS_MAX 8
struct sm_words {
    uint64_t n;
    uint64_t step;                 /* of stripes, in bytes; else 0 */
    const struct sm_site *sites[]; /* one for each, in order of address */
};
SM_COLD_PATH SM_PATH_EXPORT void sm_read_words(uintptr_t addr, const struct sm_words *words);
SM_COLD_PATH SM_PATH_EXPORT void sm_write_words(uintptr_t addr, const struct sm_words *words);

/* `count` accesses of the site's size, the first at `start`, each `step` bytes further, all of
   them in the current epoch. Ordinary calls. */
__attribute__((visibility("default"))) void
sm_read_range(uintptr_t start, uint64_t count, uint64_t step, const struct sm_site *site);
__attribute__((visibility("default"))) void
sm_write_range(uintptr_t start, uint64_t count, uint64_t step, const struct sm_site *site);

/* Stripes: neighbours `count` times, each time words->step bytes further, in one epoch. Ordinary
   calls. */
__attribute__((visibility("default"))) void sm_read_stripes(uintptr_t start, uint64_t count,
                                                            const struct sm_words *words);
__attribute__((visibility("default"))) void sm_write_stripes(uintptr_t start, uint64_t count,
                                                             const struct sm_words *words);

#endif
