/*
 * shadow.h - the check of an access against the shadow, in full.
 *
 * Everything here may be called with the program's vector registers live: shadow.c,
 * record.c and what they call use none. Reports, which do, go through sm_race_shell.
 */
#ifndef SM_NATIVE_SHADOW_H
#define SM_NATIVE_SHADOW_H

#include <stddef.h>

#include "native/epoch.h"
#include "native/lock.h"
#include "native/paths.h"

enum sm_access_kind {
    SM_ACCESS_WRITE = 1 << 0,
    SM_ACCESS_ATOMIC = 1 << 1,
    SM_ACCESS_FREE = 1 << 2,  /* with WRITE: the memory ends here */
    SM_ACCESS_RANGE = 1 << 3, /* its history event, if any, has been written by the caller */
};

/* Checks and marks an access of the running thread to any bytes. */
void sm_check(uintptr_t addr, size_t size, unsigned kind, const struct sm_site *site);
/* The same for many bytes, by way of vector registers: in range.c. */
void sm_check_range(const void *addr, size_t size, unsigned kind, const struct sm_site *site);
/* Of accesses that a call makes to the buffer it was given (intercept/io.c): they are where the
   program makes the call. */
extern const struct sm_site sm_input_site, sm_output_site;
/* The running thread got memory whose shadow was cleared. */
void sm_ranges_forget(void);
/* Is there a mark that a (plain) access of the thread to these bytes races with? Reports it. */
void sm_check_again(struct sm_detect_thread *thread, uintptr_t addr, uint32_t size, unsigned kind,
                    const struct sm_site *site);
/* Memory that is new to the program: nothing has happened there yet. */
void sm_shadow_clear(uintptr_t addr, size_t size);
/* A part at the end of so many bytes became whole: what is gone through in order leaves PARTS
   behind that nobody needs. Gives pages back; may be called where the program's registers are
   live. */
#define SM_PARTS_SPAN 0x4000ul
#define SM_PARTS_END(addr) (((addr) & (SM_PARTS_SPAN - 8)) == SM_PARTS_SPAN - 8)
SM_COLD_PATH void sm_parts_trim(uintptr_t addr);
/* The running thread wrote all of [from, to), which is whole now; granules from `split` on, up to
   `split_end`, were not. Gives back what they needed. */
void sm_planes_trim(uintptr_t from, uintptr_t to, uintptr_t split, uintptr_t split_end);
void sm_shadow_map(void);

/* The lock of a granule's multi-word states; before that of its record. */
void sm_granule_lock(uintptr_t addr);
void sm_granule_unlock(uintptr_t addr);

struct sm_collision {
    uintptr_t addr; /* first byte in common */
    uint32_t size;
    unsigned kind, other_kind;
    uint32_t other_epoch;
    const struct sm_site *site;
    struct sm_detect_thread *thread;
    bool again; /* the thread made its access some time ago (takeover.h): the other's came later */
};
/* In report.c. */
void sm_race_found(const struct sm_collision *race);
/* The same with the vector registers saved: in shell.S. */
void sm_race_shell(const struct sm_collision *race);

#endif
