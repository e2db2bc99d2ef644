/* Sequential consistency: a load returns the newest store. */
#include "memory.h"
#include "model.h"

static void no_point(struct sm_thread *self)
{
    (void)self;
}

static void no_switch(struct sm_thread *from, struct sm_thread *to)
{
    (void)from;
    (void)to;
}

static void no_sync(struct sm_event *event)
{
    (void)event;
}

const struct sm_model sm_model_sc = {.name = "sc",
                                     .start = sm_provenance_start,
                                     .point = no_point,
                                     .switched = no_switch,
                                     .load = sm_memory_load,
                                     .store = sm_memory_store,
                                     .rmw = sm_memory_rmw,
                                     .sync = no_sync,
                                     .forget = sm_provenance_forget};
