/*
 * The profiler of prescient memory: which stores came too late for which loads?
 *
 * For each granule of 8 bytes it keeps the loads that may see future values, each with what it
 * could have seen (R of the paper's Algorithm 9). A store that does not happen after such a load,
 * and whose value the load could not have seen, is a future value of that load (Algorithm 8).
 * These go to the control block, each pair of load and value once.
 *
 * A spin loop makes any number of loads, all with the same future. So the first LOADS loads of a
 * granule are kept; of the later ones every LATER_SAMPLE-th replaces one of the last LAST_LOADS.
 */
#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/hb.h"
#include "runtime/model/speculation.h"
#include "runtime/module.h"
#include "runtime/thread.h"

enum {
    FIRST_LOADS = 48,
    LAST_LOADS = 16,
    LOADS = FIRST_LOADS + LAST_LOADS,
    VALUES = 8,
    LATER_SAMPLE = 16
};

struct load {
    struct sm_foreseen name; /* without the value */
    uint32_t time;
    uint8_t offset; /* in the granule */
    uint8_t n_values;
    uint64_t values[VALUES]; /* visible to it, then found in its future */
};

struct load_history {
    uint64_t seen; /* loads so far, including dropped ones */
    uint32_t room;
    struct load *loads;
};

static struct sm_table granules; /* granule -> struct load_history */

static bool start(void)
{
    if (!sm_option(profile))
        return false;
    sm_table_clear(&granules);
    return true;
}

/* NULL: this one is not kept. */
static struct load *next_load(struct load_history *granule)
{
    uint64_t number = granule->seen++;
    if (number >= LOADS && number % LATER_SAMPLE)
        return NULL;
    if (number >= LOADS)
        return &granule->loads[FIRST_LOADS + number / LATER_SAMPLE % LAST_LOADS];
    if (number == granule->room)
        granule->loads = sm_alloc_larger(granule->loads, &granule->room, 2, sizeof *granule->loads);
    return &granule->loads[number];
}

static void on_load(const struct sm_event *event)
{
    struct load_history **place = (struct load_history **)sm_table_at(&granules, event->addr / 8);
    if (!*place)
        *place = sm_alloc(sizeof **place);
    struct load *load = next_load(*place);
    if (!load)
        return;
    load->name = (struct sm_foreseen){.thread = event->thread->id,
                                      .site = sm_site_number(event->site),
                                      .nth = event->nth,
                                      .size = event->size,
                                      .order = event->index};
    load->time = event->time;
    load->offset = event->addr % 8;
    load->n_values = (uint8_t)sm_visible_values(event, load->values, VALUES);
}

static void foresee(struct load *load, uint64_t value)
{
    for (unsigned i = 0; i < load->n_values; i++)
        if (load->values[i] == value)
            return;
    if (load->n_values < VALUES)
        load->values[load->n_values++] = value;
    if (sm_control->n_foreseen == SM_MAX_FORESEEN) {
        sm_control->foreseen_lost++;
        return;
    }
    struct sm_foreseen *entry = &sm_control->foreseen[sm_control->n_foreseen++];
    *entry = load->name;
    entry->value = value;
}

static bool happens_before(const struct load *load, const struct sm_event *store)
{
    return load->time <= sm_clock_get(&sm_hb_view(store->thread)->hb, load->name.thread);
}

static void on_store(const struct sm_event *event)
{
    struct load_history *granule = sm_table_get(&granules, event->addr / 8);
    uint64_t n = !granule ? 0 : granule->seen < LOADS ? granule->seen : LOADS;
    for (uint64_t i = 0; i < n; i++) {
        struct load *load = &granule->loads[i];
        unsigned shift = load->offset - event->addr % 8, size = load->name.size;
        if (load->offset < event->addr % 8 || shift + size > event->size ||
            happens_before(load, event))
            continue;
        uint64_t value = event->value >> 8 * shift;
        foresee(load, size == 8 ? value : value & ((1ul << 8 * size) - 1));
    }
}

/* Later stores there are to another object. */
static void on_free(const struct sm_event *event)
{
    for (uintptr_t g = event->addr / 8; g * 8 < event->addr + event->old; g++) {
        struct load_history *granule = sm_table_get(&granules, g);
        if (granule)
            granule->seen = 0;
    }
}

static void on_event(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOAD:
        if (event->nth)
            on_load(event);
        break;
    case SM_EV_STORE:
    case SM_EV_ATOMIC_STORE:
    case SM_EV_RMW:
        on_store(event);
        break;
    case SM_EV_FREE:
        on_free(event);
        break;
    default:
        break;
    }
}

const struct sm_analysis sm_analysis_prescient = {
    .name = "prescient", .start = start, .event = on_event};
