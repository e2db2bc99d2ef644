/*
 * slow.h - checks of one access within one granule, for the functions of paths.h.
 */
#ifndef SM_NATIVE_SLOW_H
#define SM_NATIVE_SLOW_H

#include "native/paths.h"

SM_COLD_PATH void sm_access_slowly(uintptr_t addr, uint32_t size, bool write,
                                   const struct sm_site *site);
/* The same, after its mark was added and may have been lost (claim.h). */
SM_COLD_PATH void sm_access_again(uintptr_t addr, uint32_t size, bool write,
                                  const struct sm_site *site);

#endif
