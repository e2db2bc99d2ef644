#include <unistd.h>

#include "checker/check.h"
#include "hunt/certify.h"
#include "target/input.h"
#include "target/outcome.h"
#include "target/record.h"
#include "target/target.h"

struct explored {
    struct sm_target target;
    const struct sm_witness *witness;
};

static bool run_explored(void *context, uint64_t read, uint32_t thread, uint64_t seed,
                         struct sm_error *error)
{
    struct explored *explored = context;
    struct sm_options options;
    struct sm_ended ended;
    if (!sm_record_load(explored->witness, &explored->target, &options, error))
        return false;
    explored->target.shared.control->replay_records = 0; /* from the read on the run differs */
    sm_solo_options(&options, read, thread, seed);
    return sm_target_run(&explored->target, &options, &ended, error);
}

static bool open_again(struct explored *explored, const struct sm_witness *witness,
                       struct sm_error *error)
{
    struct sm_target *target = &explored->target;
    int input = sm_input_from(&witness->input, error);
    if (input < 0 ||
        !sm_target_open(target, witness->program, witness->arguments.items, input, -1, -1, error))
        return false;
    target->directory = sm_copy_text(witness->directory);
    sm_list_free(&target->environment);
    for (size_t i = 0; i < witness->environment.n; i++)
        sm_list_add(&target->environment, witness->environment.items[i]);
    explored->witness = witness;
    return true;
}

static bool judge_again(struct explored *explored, bool *again, struct sm_error *error)
{
    const struct sm_witness *witness = explored->witness;
    struct sm_outcome outcome = {0};
    struct sm_expectation none = {0};
    struct sm_options options;
    struct sm_ended ended;
    bool ok = sm_record_load(witness, &explored->target, &options, error) &&
              sm_target_run(&explored->target, &options, &ended, error) &&
              sm_outcome_judge(&outcome, &explored->target, &ended, &none, error);
    *again = ok && sm_record_ends_alike(witness, &outcome);
    sm_outcome_free(&outcome);
    return ok;
}

bool sm_explored_comes_again(const struct sm_witness *witness, bool *again, struct sm_error *error)
{
    struct explored explored = {.target = {.input = -1, .output.fd = -1, .errors.fd = -1}};
    bool ok = open_again(&explored, witness, error) && judge_again(&explored, again, error);
    sm_target_close(&explored.target);
    return ok;
}

static bool needs_certificates(const struct sm_witness *witness)
{
    struct sm_check_options options = sm_check_options_of(witness);
    struct sm_verdict verdict;
    return options.model == SM_MODEL_HB && options.prescient &&
           sm_check_records(witness->records, witness->n_records, &options, &verdict) &&
           verdict.may_be_circular;
}

bool sm_certify_explored(struct sm_witness *witness, struct sm_error *error)
{
    struct explored explored = {.target = {.input = -1, .output.fd = -1, .errors.fd = -1}};
    /* One run: choices of verify are bits of values, so only the newest stores can be seen. */
    struct sm_soloist soloist = {run_explored, &explored, 1, &explored.target.shared};
    bool certified = false;
    if (!needs_certificates(witness))
        return true;
    bool ok = open_again(&explored, witness, error) &&
              sm_certify_futures(&soloist, witness, &certified, error);
    if (!certified)
        sm_certificates_free(&witness->certificates);
    sm_target_close(&explored.target);
    return ok;
}
