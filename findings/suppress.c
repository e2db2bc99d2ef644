#include "findings/suppress.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/words.h"

/* Borrows all from the failure. */
bool sm_suppressions_failure(struct sm_suppressions *list, const struct sm_failure *failure)
{
    struct sm_harm_step *steps = sm_new((failure->n_related + 1) * sizeof *steps);
    steps[0].access = (struct sm_access){.place = failure->place, .stack = failure->stack};
    for (uint32_t i = 0; i < failure->n_related; i++)
        steps[i + 1].access = (struct sm_access){.place = failure->related[i].place,
                                                 .stack = failure->related[i].stack};
    struct sm_harm_report harm = {.kind = sm_failure_words[failure->kind],
                                  .detail = failure->detail,
                                  .steps = steps,
                                  .n_steps = failure->n_related + 1};
    bool matches = sm_suppressions_harm(list, &harm);
    free(steps);
    return matches;
}

void sm_suppressions_show_unused(const struct sm_suppressions *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct sm_suppression *suppression = &list->items[i];
        if (!suppression->used && !suppression->atomicity)
            fprintf(stderr,
                    "suppression on line %u (%s) matched nothing%s%s; is it still needed?\n",
                    suppression->line, suppression->pattern, suppression->reason ? ": " : "",
                    suppression->reason ? suppression->reason : "");
    }
}

json_t *sm_suppressions_json(const struct sm_suppressions *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->n; i++) {
        const struct sm_suppression *item = &list->items[i];
        if (!item->atomicity)
            json_array_append_new(array, json_pack("{s:s, s:i, s:s?, s:I}", "pattern",
                                                   item->pattern, "line", (int)item->line, "reason",
                                                   item->reason, "used", (json_int_t)item->used));
    }
    return array;
}
