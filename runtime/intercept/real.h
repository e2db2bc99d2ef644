/*
 * real.h - the functions of libc that the runtime stands in front of.
 *
 * SM_REAL(name) is libc's own, found once before main. Every interceptor begins
 * with SM_PASS: when the program is not under control, or the call comes from
 * inside the runtime, libc does the work.
 */
#ifndef SM_RUNTIME_INTERCEPT_REAL_H
#define SM_RUNTIME_INTERCEPT_REAL_H

#include "base/sys.h"
#include "runtime/thread.h"

/* Address of the next definition of `name` after the runtime's own; dies when libc has none. */
void *sm_real_lookup(const char *name);

#define SM_REAL(function)                                                                          \
    ({                                                                                             \
        static struct sm_real real_ __attribute__((section("sm_real"), used)) = {#function, NULL}; \
        if (SM_UNLIKELY(!real_.address))                                                           \
            real_.address = sm_real_lookup(real_.name);                                            \
        (__typeof__(&function))real_.address;                                                      \
    })

struct sm_real {
    const char *name;
    void *address; /* NULL: not looked up yet */
};

/* Looks up all that this library ever calls. A fork server does, before it forks: 30 faults
   of pages and a dozen searches fewer in each execution. */
void sm_real_lookup_all(void);

/* First line of an interceptor: hand over to libc unless a controlled thread calls. */
#define SM_PASS(name, ...)                                                                         \
    do {                                                                                           \
        if (!sm_self())                                                                            \
            return SM_REAL(name)(__VA_ARGS__);                                                     \
    } while (0)

#define SM_CALLER() __builtin_return_address(0)

#endif
