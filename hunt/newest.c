#include "hunt/newest.h"

#include <stdlib.h>

#include "target/record.h"
#include "witness/witness.h"

static bool write_down(struct sm_hunt *hunt, const struct sm_case *failing,
                       struct sm_outcome *outcome, const char *beside, struct sm_error *error)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE], *path = sm_witness_newest(beside);
    sm_outcome_locate(outcome, &hunt->campaign.workers[0], &hunt->campaign.sites);
    sm_record_execution(&witness, &hunt->campaign.workers[0], outcome, &hunt->campaign.sites);
    witness.options.schedule = failing->options.schedule;
    witness.options.lenient = 0;
    bool ok =
        sm_witness_write(path, &witness, why) ||
        sm_fail(error, SM_STATUS_USAGE,
                "cannot write %s: %s; another directory can be given with --out DIR", path, why);
    sm_witness_free(&witness);
    free(path);
    return ok;
}

bool sm_newest_record(struct sm_hunt *hunt, const struct sm_case *failing, const char *witness,
                      struct sm_error *error)
{
    struct sm_outcome outcome;
    struct sm_trial trial = sm_case_trial(failing, true);
    if (sm_case_is_honest(failing))
        return true;
    struct sm_choice *choices = sm_case_without_lies(failing, &trial.n_choices);
    trial.choices = choices;
    trial.options.model = SM_MODEL_SC; /* in tso and pso the default is to delay a store */
    trial.options.record = 1;
    bool ok = sm_campaign_one(&hunt->campaign, &trial, &outcome, error);
    if (ok && trial.done) {
        outcome.failure.kind = sm_baseline_judge(&hunt->baseline, &trial.result.facts);
        if (outcome.failure.kind != SM_FAILURE_HANG)
            ok = write_down(hunt, failing, &outcome, witness, error);
    }
    free(choices);
    sm_result_free(&trial.result);
    if (ok)
        sm_outcome_free(&outcome);
    return ok;
}
