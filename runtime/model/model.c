#include "runtime/model/model.h"

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/explore.h"
#include "verify/states/paths.h"

const struct sm_model *sm_model = &sm_model_sc;

static const struct sm_model *const models[SM_MODELS] = {
    [SM_MODEL_SC] = &sm_model_sc,   [SM_MODEL_TSO] = &sm_model_tso, [SM_MODEL_PSO] = &sm_model_pso,
    [SM_MODEL_C11] = &sm_model_c11, [SM_MODEL_HB] = &sm_model_hb,
};

void sm_model_no_point(struct sm_thread *self)
{
    (void)self;
}

void sm_model_no_switch(struct sm_thread *from, struct sm_thread *to)
{
    (void)from;
    (void)to;
}

void sm_model_no_sync(struct sm_event *event)
{
    (void)event;
}

void sm_model_start(void)
{
    uint64_t id = sm_option(model);
    if (id >= SM_MODELS || !models[id])
        sm_die("this runtime has no memory model number %lu", id);
    sm_model = !sm_exploring ? models[id] : sm_paths_on() ? &sm_model_paths : &sm_model_graph;
    sm_model->start();
}
