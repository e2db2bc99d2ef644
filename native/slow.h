/*
 * slow.h - checks of one access within one granule, for the functions of paths.h.
 */
#ifndef SM_NATIVE_SLOW_H
#define SM_NATIVE_SLOW_H

#include "native/marks.h"

SM_COLD_PATH void sm_access_slowly(uintptr_t addr, uint32_t size, bool write,
                                   const struct sm_site *site);
/* The same, after its mark was added and may have been lost (claim.h). */
SM_COLD_PATH void sm_access_again(uintptr_t addr, uint32_t size, bool write,
                                  const struct sm_site *site);
/* A read of a granule with a record, where marks do not suffice (SM_MARKS_OTHER): see there. */
SM_COLD_PATH enum sm_applied sm_reread(struct sm_detect_thread *thread, uintptr_t addr,
                                       uint32_t size);

#endif
