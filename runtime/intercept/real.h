/*
 * real.h - the functions of libc that the runtime stands in front of.
 *
 * SM_REAL(name) is libc's own, found once before main. Every interceptor begins
 * with SM_PASS: when the program is not under control, or the call comes from
 * inside the runtime, libc does the work.
 */
#ifndef SM_REAL_H
#define SM_REAL_H

#include "../sys.h"
#include "../thread.h"

/* Address of the next definition of `name` after the runtime's own; dies when libc has none. */
void *sm_real_lookup(const char *name);

#define SM_REAL(name)                                                                              \
    ({                                                                                             \
        static __typeof__(&name) real_;                                                            \
        if (SM_UNLIKELY(!real_))                                                                   \
            real_ = (__typeof__(&name))sm_real_lookup(#name);                                      \
        real_;                                                                                     \
    })

/* First line of an interceptor: hand over to libc unless a controlled thread calls. */
#define SM_PASS(name, ...)                                                                         \
    do {                                                                                           \
        if (!sm_self())                                                                            \
            return SM_REAL(name)(__VA_ARGS__);                                                     \
    } while (0)

#define SM_CALLER() __builtin_return_address(0)

#endif
