#include "runtime/aside.h"

#include "core/libc/callers.h"
#include "core/libc/range.h"
#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/thread.h"

bool sm_aside_on(void)
{
    return sm_self() && sm_option(races) >= 2;
}

static void show(int kind, uintptr_t addr, size_t size, uintptr_t pc)
{
    if (!sm_aside_on() || (pc && !sm_caller_counts((const void *)pc)))
        return;
    struct sm_event event = {.kind = (uint8_t)kind,
                             .order = kind == SM_EV_ATOMIC_LOAD ? SM_ORDER_SEQ_CST : SM_ORDER_PLAIN,
                             .thread = sm_self(),
                             .addr = addr,
                             .pc = pc,
                             .old = size};
    sm_analyses_aside(&event);
}

void sm_aside(int kind, const void *addr, size_t size, const void *pc)
{
    show(kind, (uintptr_t)addr, size, (uintptr_t)pc);
}

void sm_aside_parts(int kind, const struct iovec *parts, size_t n, ssize_t size, const void *pc)
{
    size_t left = size > 0 ? (size_t)size : 0;
    for (size_t i = 0; i < n && left; i++) {
        size_t share = parts[i].iov_len < left ? parts[i].iov_len : left;
        sm_aside(kind, parts[i].iov_base, share, pc);
        left -= share;
    }
}

void sm_range_called(int kind, const void *addr, size_t size)
{
    show(kind, (uintptr_t)addr, size, 0);
}

/* Files and the like have small numbers as addresses (intercept/message.c): these are not memory.
 */
enum { FIRST_ADDRESS = 4096 };

void sm_range_new(const void *addr, size_t size)
{
    show(SM_EV_ALLOC, (uintptr_t)addr, size, 0);
}

void sm_aside_sync(const struct sm_event *event)
{
    if (event->addr < FIRST_ADDRESS)
        return;
    switch (event->kind) {
    case SM_EV_LOCK:
    case SM_EV_UNLOCK:
    case SM_EV_TRYLOCK_FAIL:
    case SM_EV_READ_LOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_LOCK:
    case SM_EV_WRITE_UNLOCK:
    case SM_EV_WAIT:
    case SM_EV_SIGNAL:
    case SM_EV_BROADCAST:
    case SM_EV_ARRIVE:
    case SM_EV_SEM_POST:
    case SM_EV_SEM_WAIT:
        show(SM_EV_ATOMIC_LOAD, event->addr, 1, event->pc);
        break;
    case SM_EV_INIT:
        show(SM_EV_STORE, event->addr, 1, event->pc);
        break;
    default:
        break;
    }
}
