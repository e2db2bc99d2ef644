/* Coroutines of libc: swapcontext and setcontext continue on another stack. */
#include <ucontext.h>

#include "runtime/intercept/real.h"
#include "runtime/stack.h"

SM_EXPORT int swapcontext(ucontext_t *from, const ucontext_t *to)
{
    sm_stack_switched();
    return SM_REAL(swapcontext)(from, to);
}

SM_EXPORT int setcontext(const ucontext_t *to)
{
    sm_stack_switched();
    return SM_REAL(setcontext)(to);
}
