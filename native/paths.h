/*
 * paths.h - functions that instrumented code calls, and the data it reads inline.
 *
 * Functions with SM_COLD_PATH are the slow paths behind an inline check. They preserve every
 * register but r11, so that the code around the check stays as good as it was; paths.c defines them
 * and uses no vector registers. The others are ordinary calls.
 */
#ifndef SM_NATIVE_PATHS_H
#define SM_NATIVE_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "native/cell.h"
#include "native/history.h"

/* So many first accesses of a thread are marked by locked instructions, and so many after it has
   acquired anything but a lock; the others by ordinary stores: see marks.h. */
#define SM_EXACT (1u << 16)
#define SM_EXACT_TOGETHER 32u

/* Makes an unsigned comparison of lanes a signed one. */
#define SM_LANE_SHIFT 0x80000000u

/* What the inline paths need of the running thread. Written only by that thread. */
struct sm_own {
    struct sm_cell all; /* in each lane, the mark of a write to all bytes in the current epoch */
    struct sm_cell before, reach; /* `first` and how far `all` is from it, shifted: quick.h */
    uint32_t epoch; /* current epoch; changes at every release. 0: nothing is checked */
    uint32_t first; /* the least mark of the first epoch of its run (epoch.h) */
    uint32_t lane;  /* preferred lane for its marks, so that neighbours use the same lane */
    struct sm_call_history *history; /* never NULL */
    uint32_t exact;                  /* what is left of either */
};
extern __thread struct sm_own sm_own
    __attribute__((tls_model("initial-exec"), visibility("default")));

#define SM_COLD_PATH __attribute__((preserve_all))
#define SM_PATH_EXPORT __attribute__((cold, visibility("default")))

#define SM_PATH(name)                                                                              \
    SM_COLD_PATH SM_PATH_EXPORT void sm_##name(uintptr_t addr, const struct sm_site *site);
#include "native/paths.def"

/* Neighbours: accesses to n granules in a row, to all bytes of each, all or none performed, in one
   epoch. The pass emits this struct into the program; n is 2 to SM_WORDS_MAX. */
#define SM_WORDS_MAX 8
struct sm_words {
    uint64_t n;
    uint64_t step;                 /* stripes: distance in bytes; else 0 */
    const struct sm_site *sites[]; /* one per granule, in order of address */
};
SM_COLD_PATH SM_PATH_EXPORT void sm_read_words(uintptr_t addr, const struct sm_words *words);
SM_COLD_PATH SM_PATH_EXPORT void sm_write_words(uintptr_t addr, const struct sm_words *words);

/* `count` accesses of the site's size, the first at `start`, each `step` bytes further, all in the
   current epoch. Ordinary calls. */
__attribute__((visibility("default"))) void
sm_read_range(uintptr_t start, uint64_t count, uint64_t step, const struct sm_site *site);
__attribute__((visibility("default"))) void
sm_write_range(uintptr_t start, uint64_t count, uint64_t step, const struct sm_site *site);

/* Stripes: neighbours, repeated `count` times, each words->step bytes further, in one epoch.
   Ordinary calls. */
__attribute__((visibility("default"))) void sm_read_stripes(uintptr_t start, uint64_t count,
                                                            const struct sm_words *words);
__attribute__((visibility("default"))) void sm_write_stripes(uintptr_t start, uint64_t count,
                                                             const struct sm_words *words);

#endif
