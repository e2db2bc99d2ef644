/* The sampling engine, and the choice of an engine: see engine.h. */
#include "runtime/engine.h"

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "runtime/snapshot.h"
#include "runtime/sync/operations.h"

#define SM_ENGINE(name) extern const struct sm_engine *const sm_engine_##name;
#include "runtime/engines.def"

static bool always(void)
{
    return true;
}

static bool repeats(void)
{
    return sm_option(repeat);
}

static const struct sm_schedule *schedule_of_options(void)
{
    return NULL;
}

static uint32_t smallest(uint32_t next)
{
    return next;
}

/* The following seeds, until one fails or all have been tried. */
static bool next_seed(void)
{
    sm_control->executions++;
    if (sm_restart_failed() || sm_control->executions >= sm_option(repeat))
        return false;
    sm_control->options.seed++;
    return true;
}

static const struct sm_sync_operations sync_operations = {
    .mutex = &sm_mutex_sampling,
    .rwlock = &sm_rwlock_sampling,
    .spin = &sm_spin_sampling,
    .cond = &sm_cond_sampling,
    .barrier = &sm_barrier_sampling,
    .sem = &sm_sem_sampling,
    .once = &sm_once_sampling,
    .section = &sm_section_sampling,
    .futex = &sm_futex_sampling,
};

static const struct sm_engine sampling = {
    .name = "sampling",
    .wanted = always,
    .start = sm_snapshot_start,
    .restarts = repeats,
    .next = next_seed,
    .schedule = schedule_of_options,
    .sync = &sync_operations,
    .records = true,
    .in_order = true,
    .has_time = true,
    .reuses_memory = true,
    .thread_number = smallest,
};
const struct sm_engine *const sm_engine_sampling = &sampling;

void sm_engine_prints(void)
{
    if (sm_self() && sm_engine->prints)
        sm_engine->prints();
}

SM_EXPORT uint8_t sm_iterations_watched;
const struct sm_engine *sm_engine = &sampling;

void sm_engine_start(void)
{
    static const struct sm_engine *const *const engines[] = {
#define SM_ENGINE(name) &sm_engine_##name,
#include "runtime/engines.def"
    };
    for (unsigned i = SM_ARRAY_SIZE(engines); i-- > 0;)
        if ((*engines[i])->wanted())
            sm_engine = *engines[i];
    if (sm_engine->start)
        sm_engine->start();
}
