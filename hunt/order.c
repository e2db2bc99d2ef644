#include "hunt/order.h"

/* Half steps: on both sides of eight accesses. */
enum { MOST_LATE = 16 };

static bool stays(const struct sm_case *failing, uint64_t late, struct sm_campaign *campaign,
                  const struct sm_baseline *baseline, bool *same, struct sm_error *error)
{
    struct sm_outcome outcome;
    struct sm_trial trial = sm_case_trial(failing, true);
    trial.options.late = late;
    if (!sm_campaign_one(campaign, &trial, &outcome, error))
        return false;
    *same = trial.done && sm_case_same(failing, baseline, &trial.result.facts);
    sm_outcome_free(&outcome);
    sm_result_free(&trial.result);
    return true;
}

/* A hang counts only because every thread had its turn, which a replay by place may not keep. An
   output that differs is no failure under sc. */
static bool can_be_told(const struct sm_case *failing)
{
    return failing->options.narrow && failing->kind != SM_FAILURE_HANG &&
           failing->kind != SM_FAILURE_OUTPUT && sm_case_is_honest(failing);
}

bool sm_order_decides(const struct sm_case *failing, struct sm_campaign *campaign,
                      const struct sm_baseline *baseline, bool *decides, struct sm_error *error)
{
    *decides = true;
    if (!can_be_told(failing))
        return true;
    for (uint64_t late = 1; late <= MOST_LATE && !sm_campaign_over(campaign); late++) {
        bool same;
        if (!stays(failing, late, campaign, baseline, &same, error))
            return false;
        *decides = same || late % 2 == 1;
        if (!same)
            return true;
    }
    return true;
}
