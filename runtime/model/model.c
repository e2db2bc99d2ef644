#include "runtime/model/model.h"

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/engine.h"

const struct sm_model *sm_model = &sm_model_sc;

static const struct sm_model *const models[SM_MODELS] = {
#define SM_MODEL(name, word, needs) [SM_MODEL_##name] = &sm_model_##word,
#include "abi/models.def"
};

void sm_model_no_sync(struct sm_event *event)
{
    (void)event;
}

void sm_model_start(void)
{
    uint64_t id = sm_option(model);
    if (id >= SM_MODELS)
        sm_die("this runtime has no memory model number %lu", id);
    sm_model = sm_engine->model ? sm_engine->model : models[id];
    sm_model->start();
}
