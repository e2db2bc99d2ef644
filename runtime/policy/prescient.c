/*
 * Which loads read future values, and which: the predictions that the driver has put into the
 * control block. The driver learns which of those found by the profiler are worth trying
 * (hunt/prescient.c); here each is looked up by the load's name.
 */
#include "base/sys.h"
#include "base/table.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/policy/policy.h"

static struct sm_table predictions; /* of a load: its entry in the control block */

static uintptr_t name(uint32_t thread, uint32_t site, uint32_t nth)
{
    return (uintptr_t)site << 44 ^ (uintptr_t)thread << 28 ^ nth;
}

void sm_prescient_start(void)
{
    sm_table_clear(&predictions);
    for (uint64_t i = 0; i < sm_control->n_predictions; i++) {
        struct sm_foreseen *entry = &sm_control->predictions[i];
        *sm_table_at(&predictions, name(entry->thread, entry->site, entry->nth)) = entry;
    }
}

static const struct sm_foreseen *find(const struct sm_future_choice *choice)
{
    const struct sm_event *load = choice->event;
    uint32_t site = sm_site_number(load->site);
    const struct sm_foreseen *entry =
        sm_table_get(&predictions, name(load->thread->id, site, load->nth));
    return entry && entry->size == load->size ? entry : NULL;
}

uint32_t sm_prescient_looks(const struct sm_future_choice *choice)
{
    return find(choice) != NULL;
}

uint32_t sm_prescient_value(const struct sm_future_choice *choice, uint32_t n)
{
    return (uint32_t)(find(choice)->value >> choice->shift) & (n - 1);
}
