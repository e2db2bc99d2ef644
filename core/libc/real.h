/*
 * real.h - the functions of libc that the runtimes intercept.
 *
 * SM_REAL(name) is libc's own: the next definition after the runtime's.
 */
#ifndef SM_CORE_LIBC_REAL_H
#define SM_CORE_LIBC_REAL_H

#include "base/sys.h"

struct sm_real {
    const char *name;
    void *address; /* NULL: not looked up yet */
};

#define SM_REAL(function)                                                                          \
    ({                                                                                             \
        static struct sm_real real_ __attribute__((section("sm_real"), used)) = {#function, NULL}; \
        if (SM_UNLIKELY(!real_.address))                                                           \
            real_.address = sm_real_lookup(real_.name);                                            \
        (__typeof__(&function))real_.address;                                                      \
    })

/* Dies if libc has no such function. */
void *sm_real_lookup(const char *name);

/* Looks up all functions that this library ever calls. A fork server does so before it forks, which
   saves 30 page faults and a dozen lookups in each execution. */
void sm_real_lookup_all(void);

#define SM_CALLER() __builtin_return_address(0)

#endif
