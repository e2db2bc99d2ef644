/* real.h - prologues of interceptors. */
#ifndef SM_RUNTIME_INTERCEPT_REAL_H
#define SM_RUNTIME_INTERCEPT_REAL_H

#include "core/libc/real.h"
#include "runtime/engine.h"
#include "runtime/sched/livelock.h"
#include "runtime/thread.h"

/* First line of an interceptor: if the program is not under control, or the call comes from inside
   the runtime, libc does the work. */
#define SM_PASS(name, ...)                                                                         \
    do {                                                                                           \
        if (!sm_self())                                                                            \
            return SM_REAL(name)(__VA_ARGS__);                                                     \
        sm_livelock_effect();                                                                      \
        sm_engine_called(#name);                                                                   \
    } while (0)

/* The same for calls that also give constructors, which run before the program is under control,
   the deterministic inputs of an execution. Needs runtime/init.h. */
#define SM_PASS_INPUT(name, ...)                                                                   \
    do {                                                                                           \
        if (!sm_self() && !sm_starting())                                                          \
            return SM_REAL(name)(__VA_ARGS__);                                                     \
        sm_livelock_effect();                                                                      \
        sm_engine_called(#name);                                                                   \
    } while (0)

#endif
