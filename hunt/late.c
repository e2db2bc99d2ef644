#include "hunt/late.h"

#include <stdlib.h>

static struct sm_late *late_of(struct sm_hunt *hunt)
{
    if (!hunt->late)
        hunt->late = sm_new(sizeof *hunt->late);
    return hunt->late;
}

static bool is_new(struct sm_hunt *hunt, uint64_t signature)
{
    const struct sm_baseline *baseline = &hunt->baseline;
    return !sm_hashes_have(&baseline->order_failures, signature) &&
           !sm_hashes_have(&baseline->race_failures, signature) &&
           sm_hashes_add(&late_of(hunt)->seen, signature);
}

static void keep(struct sm_hunt *hunt, struct sm_case *failing)
{
    struct sm_late *late = late_of(hunt);
    if (failing->kind == SM_FAILURE_NONE || !sm_case_is_honest(failing)) {
        sm_case_free(failing);
        return;
    }
    late->items = sm_resize(late->items, (late->n + 1) * sizeof *late->items);
    late->items[late->n++] = *failing;
}

bool sm_late_note(struct sm_hunt *hunt, const struct sm_trial *trial, struct sm_error *error)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    struct sm_case failing;
    if (facts->kind == SM_FAILURE_NONE || facts->stale || facts->delayed || facts->future ||
        !is_new(hunt, facts->signature))
        return true;
    if (!sm_case_take(&failing, trial, &hunt->campaign, &hunt->baseline, error))
        return false;
    keep(hunt, &failing);
    return true;
}

void sm_late_note_case(struct sm_hunt *hunt, const struct sm_case *failing)
{
    if (failing->kind == SM_FAILURE_OUTPUT || !is_new(hunt, failing->facts.signature))
        return;
    struct sm_case copy = *failing;
    copy.choices = sm_copy_bytes(failing->choices, failing->n_choices * sizeof *copy.choices);
    keep(hunt, &copy);
}

void sm_late_free(struct sm_hunt *hunt)
{
    for (size_t i = 0; hunt->late && i < hunt->late->n; i++)
        sm_case_free(&hunt->late->items[i]);
    if (hunt->late) {
        free(hunt->late->items);
        sm_hashes_clear(&hunt->late->seen);
    }
    free(hunt->late);
    hunt->late = NULL;
}
