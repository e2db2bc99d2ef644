/*
 * view.h - the view of a thread, as clocks.
 *
 * `hb` is happens-before and nothing else. The rest is kept only for the models that need it: the
 * consequences of the total order of seq_cst operations, which constrain what loads may read but do
 * not prevent races. That order is the order of execution. `coherent` contains `hb`, and what was
 * known at every seq_cst fence before a seq_cst fence the thread knows of; sc_fence is the number
 * of seq_cst stores before the last such fence. Where they are not kept they are zero, and joining
 * and copying them costs a test.
 */
#ifndef SM_CORE_VIEW_H
#define SM_CORE_VIEW_H

#include "core/clock.h"

struct sm_view {
    struct sm_clock hb, coherent;
    uint64_t sc_fence;
};

static inline void sm_view_join(struct sm_view *to, const struct sm_view *from)
{
    sm_clock_join(&to->hb, &from->hb);
    sm_clock_join(&to->coherent, &from->coherent);
    if (from->sc_fence > to->sc_fence)
        to->sc_fence = from->sc_fence;
}

static inline void sm_view_copy(struct sm_view *to, const struct sm_view *from)
{
    sm_clock_copy(&to->hb, &from->hb);
    sm_clock_copy(&to->coherent, &from->coherent);
    to->sc_fence = from->sc_fence;
}

static inline void sm_view_clear(struct sm_view *view)
{
    sm_clock_clear(&view->hb);
    sm_clock_clear(&view->coherent);
    view->sc_fence = 0;
}

#endif
