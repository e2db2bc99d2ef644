/*
 * c11: RC11, with plain and volatile accesses taken as relaxed atomics.
 *
 * A load sees any store that coherence allows and that has been executed (so program order
 * and reads-from have no cycle); a store goes anywhere in modification order that
 * coherence allows. Release sequences, fences and seq_cst are in the views (hb.h).
 */
#include "runtime/model/coherent.h"
#include "runtime/model/model.h"

static void store(struct sm_event *event)
{
    sm_coherent_store(event, true);
}

static void rmw(struct sm_event *event)
{
    sm_coherent_rmw(event, true);
}

const struct sm_model sm_model_c11 = {.needs_hb = true,
                                      .plain_is_relaxed = true,
                                      .start = sm_history_start,
                                      .load = sm_coherent_load,
                                      .store = store,
                                      .rmw = rmw,
                                      .sync = sm_model_no_sync,
                                      .forget = sm_history_forget};
