#include "runtime/snapshot.h"

#include <unwind.h>

#include "base/mix.h"
#include "base/sys.h"
#include "runtime/assume.h"
#include "runtime/region.h"
#include "runtime/thread.h"

static uintptr_t last_hook; /* in which the last snapshot was taken */

static _Unwind_Reason_Code end_at_once(struct _Unwind_Context *context, void *unused)
{
    (void)context;
    (void)unused;
    return _URC_END_OF_STACK;
}

/* libgcc fills a table at its first use, by pthread_once, which no restart undoes: in a process
   that continued a graph of another one the table was empty, and a throw ended in abort(). */
void sm_snapshot_start(void)
{
    _Unwind_Backtrace(end_at_once, NULL);
}

struct snapshot {
    uintptr_t own_start, own_end; /* the runtime */
    uintptr_t hook;               /* that the program has called */
    uint64_t hash;
    uintptr_t stack;
};

/* Takes the callee-saved registers and the stack pointer of the program's innermost frame. */
static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *arg)
{
    static const int preserved[] = {3, 6, 12, 13, 14, 15}; /* rbx, rbp, r12 to r15 */
    struct snapshot *snapshot = arg;
    uintptr_t pc = _Unwind_GetIP(context);
    if (pc >= snapshot->own_start && pc < snapshot->own_end) {
        snapshot->hook = _Unwind_GetRegionStart(context);
        return _URC_NO_REASON;
    }
    snapshot->hash = sm_mix(snapshot->hash, pc);
    for (unsigned i = 0; i < SM_ARRAY_SIZE(preserved); i++)
        snapshot->hash = sm_mix(snapshot->hash, _Unwind_GetGR(context, preserved[i]));
    snapshot->stack = _Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
}

/* The calls of the program (abi/hooks.def). */
typedef void V;
typedef uint64_t U64;
typedef void *P;
typedef const struct sm_site *S;
#define SM_HOOK(result, name, parameters) SM_EXPORT result name parameters;
#include "abi/hooks.def"

/* A call of such a hook makes one access, unless it is split. */
static bool is_of_one_access(uintptr_t hook)
{
    return hook == (uintptr_t)sm_load || hook == (uintptr_t)sm_store ||
           hook == (uintptr_t)sm_atomic_load || hook == (uintptr_t)sm_atomic_store ||
           hook == (uintptr_t)sm_atomic_rmw || hook == (uintptr_t)sm_atomic_cas;
}

bool sm_snapshot_is_whole(const struct sm_event *event)
{
    return event->kind > SM_EV_CAS_FAIL ||
           (event->site && event->site->size == event->size && is_of_one_access(last_hook));
}

uint64_t sm_snapshot_take(const struct sm_event *event, uintptr_t top)
{
    struct snapshot snapshot = {.hash = event->size};
    sm_region_bounds((uintptr_t)sm_snapshot_take, &snapshot.own_start, &snapshot.own_end);
    event->thread->in_runtime = true;
    _Unwind_Backtrace(look, &snapshot);
    event->thread->in_runtime = false;
    last_hook = snapshot.hook;
    if (!snapshot.stack || snapshot.stack > top)
        return 0;
    snapshot.hash = sm_mix(snapshot.hash, snapshot.stack);
    snapshot.hash = sm_mix(snapshot.hash, event->value);
    snapshot.hash = sm_mix(snapshot.hash, event->old);
    if (sm_assuming)
        snapshot.hash = sm_mix(snapshot.hash, sm_assume_state(event->thread));
    for (uintptr_t at = snapshot.stack; at + 8 <= top; at += 8)
        snapshot.hash = sm_mix(snapshot.hash, *(const uint64_t *)at);
    return snapshot.hash | 1;
}
