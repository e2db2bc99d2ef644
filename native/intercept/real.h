/*
 * real.h - libc's own functions, behind the ones defined here.
 *
 * The detector stands in front of what synchronises threads, allocates memory and ends
 * processes; each interceptor does libc's work and tells sync.h what it means.
 */
#ifndef SM_NATIVE_INTERCEPT_REAL_H
#define SM_NATIVE_INTERCEPT_REAL_H

#include "base/sys.h"

void *sm_real_lookup(const char *name);

#define SM_REAL(name)                                                                              \
    ({                                                                                             \
        static __typeof__(&name) real_;                                                            \
        if (SM_UNLIKELY(!real_))                                                                   \
            real_ = (__typeof__(&name))sm_real_lookup(#name);                                      \
        real_;                                                                                     \
    })

#endif
