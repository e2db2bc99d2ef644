#include "abi/control.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "runtime/thread.h"
#include "verify/explore.h"
#include "verify/graph/graph.h"
#include "verify/loops/await.h"
#include "verify/run/share.h"
#include "verify/states/path.h"
#include "verify/states/paths.h"
#include "verify/trees/effects.h"

/* Nesting depth of loops. Beyond it the outermost loop is forgotten: its turns are never found
   equal. */
enum { MOST_NESTED = 16 };

/* The last time the thread was at the header of a loop. */
struct header_visit {
    struct sm_iteration at;
    uint64_t changes; /* of what only the thread can see, until then */
    size_t printed;
    uint16_t position;
};

/* State of this run. */
static struct nest {
    struct header_visit visits[MOST_NESTED];
    uint32_t n;
    uint64_t changes;
} nests[SM_MACHINE_THREADS] SM_SELDOM;

static struct nest *change(uint32_t thread)
{
    sm_seldom_touch(&nests[thread], sizeof *nests);
    return &nests[thread];
}

void sm_path_loops_begin(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (nests[t].n)
            change(t)->n = 0;
}

void sm_path_loops_change(uint32_t thread)
{
    if (thread < SM_MACHINE_THREADS)
        change(thread)->changes++;
}

/* No loop that the thread is in has a live local there. */
static bool is_forgotten(const struct nest *nest, uintptr_t addr)
{
    for (uint32_t i = 0; i < nest->n; i++)
        if (addr >= nest->visits[i].at.forgotten)
            return false;
    return true;
}

void sm_path_loops_store(const struct sm_event *event)
{
    const struct sm_thread *thread = event->thread;
    bool own = event->addr >= (uintptr_t)thread->stack_low &&
               event->addr + event->size <= sm_await_stack_top(thread);
    if (thread->id < SM_MACHINE_THREADS && own && is_forgotten(&nests[thread->id], event->addr))
        return;
    sm_path_loops_change(thread->id);
}

/* A thread that is at a header has left the functions with frames below it. */
static struct header_visit *find(struct nest *nest, const struct sm_iteration *at)
{
    uint32_t n = 0;
    struct header_visit *found = NULL;
    for (uint32_t i = 0; i < nest->n; i++)
        if (nest->visits[i].at.frame >= at->frame)
            nest->visits[n++] = nest->visits[i];
    nest->n = n;
    for (uint32_t i = 0; i < n; i++)
        if (nest->visits[i].at.loop == at->loop && nest->visits[i].at.frame == at->frame)
            found = &nest->visits[i];
    return found;
}

static struct header_visit *add(struct nest *nest)
{
    if (nest->n == MOST_NESTED) {
        for (uint32_t i = 1; i < MOST_NESTED; i++)
            nest->visits[i - 1] = nest->visits[i];
        nest->n--;
    }
    return &nest->visits[nest->n++];
}

static bool is_again(const struct header_visit *then, const struct header_visit *now)
{
    return now->at.again && then->changes == now->changes && then->printed == now->printed &&
           then->position < now->position && then->at.state == now->at.state &&
           then->at.reload == now->at.reload && then->at.count == now->at.count;
}

/* Every effect of the program is visible, and what it reads does not depend on the time. */
static bool is_on(uint32_t thread)
{
    return sm_effects_are_known() && !sm_effects_are_lost(thread) && !sm_control->explored.timed &&
           sm_exploring != SM_EXPLORE_FREE && sm_share_threads() && thread < SM_MACHINE_THREADS;
}

bool sm_paths_iteration(const struct sm_iteration *at)
{
    const char *unused;
    uint32_t thread = sm_running()->id;
    if (!is_on(thread))
        return false;
    struct nest *nest = change(thread);
    struct header_visit *then = find(nest, at);
    const struct header_visit now = {*at, nest->changes,
                                     sm_restart_written(&unused) + sm_control->outcome_bytes,
                                     sm_path_position(thread)};
    if (then && is_again(then, &now))
        sm_path_leads_back(thread, then->position);
    *(then ? then : add(nest)) = now;
    if (!at->leaves)
        sm_path_is_endless(thread);
    return false;
}
