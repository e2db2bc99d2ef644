/*
 * shadow.h - the full check of an access against the shadow.
 *
 * Everything here may be called with the program's vector registers live: shadow.c, record.c and
 * what they call use none. Reports do, and go through sm_race_shell.
 */
#ifndef SM_NATIVE_SHADOW_H
#define SM_NATIVE_SHADOW_H

#include <stddef.h>

#include "core/conflict.h"
#include "native/epoch.h"
#include "native/lock.h"
#include "native/paths.h"

/* In addition to those of core/conflict.h. */
enum sm_access_kind {
    SM_ACCESS_FREE = 1 << 2,  /* with WRITE: the memory is freed */
    SM_ACCESS_AGAIN = 1 << 4, /* its mark may be lost or unseen: claim.h */
    SM_ACCESS_RANGE = 1 << 3, /* the caller writes its history event, if any */
};

/* Checks and marks an access of the running thread, to any bytes. */
void sm_check(uintptr_t addr, size_t size, unsigned kind, const struct sm_site *site);
/* The same for many bytes, with vector registers: in range.c. */
void sm_check_range(const void *addr, size_t size, unsigned kind, const struct sm_site *site);
/* Accesses that a library call makes to its buffer (intercept/io.c); reported at the call. */
extern const struct sm_site sm_input_site, sm_output_site;
/* The running thread got memory whose shadow was cleared. */
void sm_ranges_forget(void);
/* Newly allocated memory: nothing has happened there yet. */
void sm_shadow_clear(uintptr_t addr, size_t size);
void sm_shadow_map(void);

/* Held while a granule gets or loses its record; acquired before the lock of the record. */
void sm_granule_lock(uintptr_t addr);
void sm_granule_unlock(uintptr_t addr);

struct sm_collision {
    uintptr_t addr; /* first byte in common */
    uint32_t size;
    unsigned kind, other_kind;
    uint32_t other_epoch;
    const struct sm_site *site;
    struct sm_detect_thread *thread;
};
/* In report.c. */
void sm_race_found(const struct sm_collision *race);
/* The same with the vector registers saved: in shell.S. */
void sm_race_shell(const struct sm_collision *race);

#endif
