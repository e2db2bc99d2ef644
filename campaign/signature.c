#include "campaign/signature.h"

#include <string.h>
#include <xxhash.h>

#include "target/symbols.h"

/* A function has a watched copy and a plain one, so a program counter does not identify a place;
   file and line do. */
static uint64_t hash_place(const char *file, uint32_t line)
{
    return XXH3_64bits(file, strlen(file)) + line;
}

static uint64_t hash_site(const struct sm_campaign *campaign, uint32_t site)
{
    const struct sm_site_row *row = sm_sites_find(&campaign->sites, site);
    return row && row->line ? hash_place(row->file, row->line) : 0;
}

/* The innermost frame with a line; without debug information the innermost frame. */
static uint64_t hash_stack(struct sm_campaign *campaign, const struct sm_control *control,
                           const uint64_t *stack, uint32_t depth)
{
    struct sm_stack frames = {0};
    uint64_t hash = 0;
    if (campaign->symbols && campaign->n_mappings < control->n_mappings) {
        sm_symbols_close(campaign->symbols); /* a library was loaded since then */
        campaign->symbols = NULL;
    }
    if (!campaign->symbols) {
        campaign->symbols = sm_symbols_open(control->mappings, control->n_mappings);
        campaign->n_mappings = control->n_mappings;
    }
    for (uint32_t i = 0; i < depth && !hash; i++) {
        sm_symbols_frames(campaign->symbols, stack[i], &frames);
        for (uint32_t k = 0; k < frames.n && !hash; k++)
            if (frames.frames[k].file)
                hash = hash_place(frames.frames[k].file, frames.frames[k].line);
        sm_stack_free(&frames);
    }
    return hash || !depth ? hash : stack[0];
}

static uint64_t hash_end(struct sm_campaign *campaign, const struct sm_control *control)
{
    uint64_t hash = hash_site(campaign, control->end_site);
    uint32_t depth = control->end_depth < SM_STACK_DEPTH ? control->end_depth : SM_STACK_DEPTH;
    return hash ? hash : hash_stack(campaign, control, control->end_stack, depth);
}

/* Each place once, in any order: how many threads wait there does not matter. */
static uint64_t hash_waits(struct sm_campaign *campaign, const struct sm_control *control)
{
    uint64_t seen[SM_MAX_WAITS], sum = 0;
    for (uint32_t i = 0; i < control->n_waits && i < SM_MAX_WAITS; i++) {
        const struct sm_wait_place *wait = &control->waits[i];
        uint32_t k = 0;
        seen[i] = hash_site(campaign, wait->site);
        if (!seen[i] && wait->pc)
            seen[i] = hash_stack(campaign, control, &wait->pc, 1);
        while (seen[k] != seen[i])
            k++;
        if (k == i)
            sum += XXH3_64bits(&seen[i], sizeof seen[i]);
    }
    return sum;
}

/* Addresses in details differ between executions; the text of an assertion does not. */
uint64_t sm_signature(struct sm_campaign *campaign, const struct sm_outcome *outcome,
                      const struct sm_control *control)
{
    uint64_t parts[3] = {outcome->failure.kind};
    switch (outcome->failure.kind) {
    case SM_FAILURE_NONE:
        return 0;
    case SM_FAILURE_ASSERT:
        parts[1] = XXH3_64bits(control->detail, strnlen(control->detail, SM_DETAIL_SIZE));
        break;
    case SM_FAILURE_DEADLOCK:
    case SM_FAILURE_LOST_WAKEUP: /* distinguished from a deadlock only if every read is an event */
    case SM_FAILURE_LIVELOCK:
        parts[0] = SM_FAILURE_DEADLOCK;
        parts[1] = hash_waits(campaign, control);
        break;
    case SM_FAILURE_HANG: /* the place where the budget was spent does not matter */
    case SM_FAILURE_OUTPUT:
    case SM_FAILURE_ORACLE:
        break;
    default: /* noticed by the runtime: by its place */
        parts[2] = hash_end(campaign, control);
        break;
    case SM_FAILURE_SIGNAL:
        parts[2] = hash_end(campaign, control);
        /* fall through */
    case SM_FAILURE_EXIT:
        parts[1] = (uint64_t)outcome->status;
        break;
    }
    return XXH3_64bits(parts, sizeof parts);
}
