/* Sequential consistency: a load returns the newest store. */
#include "runtime/model/memory.h"
#include "runtime/model/model.h"

const struct sm_model sm_model_sc = {.start = sm_provenance_start,
                                     .load = sm_memory_load,
                                     .store = sm_memory_store,
                                     .rmw = sm_memory_rmw,
                                     .sync = sm_model_no_sync,
                                     .forget = sm_provenance_forget};
