#include "checker/check.h"

#include "checker/execution.h"
#include "checker/happens.h"

static bool judge(struct sm_execution *x)
{
    if (!sm_execution_build(x) || !sm_check_memory(x))
        return false;
    if (x->options.model < SM_MODEL_C11)
        return true;
    sm_happens_compute(x);
    return (x->options.model == SM_MODEL_C11 || sm_check_visible(x)) && sm_check_tearing(x) &&
           sm_check_modification(x);
}

static bool may_look_ahead(const struct sm_check_options *options)
{
    return options->prescient && options->model >= SM_MODEL_HB;
}

static bool judge_all(struct sm_execution *x)
{
    uint32_t n = 0;
    if (!judge(x) || (x->options.certified && !sm_check_certificates(x, &n)))
        return false;
    *x->verdict = (struct sm_verdict){.legal = true, .n_certified = n};
    x->verdict->may_be_circular = may_look_ahead(&x->options) && sm_find_circle(x);
    return true;
}

bool sm_check_records(const struct sm_record *records, uint64_t n,
                      const struct sm_check_options *options, struct sm_verdict *verdict)
{
    struct sm_execution x = {
        .records = records, .n_records = (uint32_t)n, .options = *options, .verdict = verdict};
    *verdict = (struct sm_verdict){.legal = true};
    if (n >= SM_FROM_INITIAL)
        return sm_broken_record(&x, SM_AXIOM_FORMAT, "there are too many records", 0, NULL);
    bool legal = judge_all(&x);
    sm_happens_free(&x);
    sm_execution_free(&x);
    return legal;
}

struct sm_check_options sm_check_options_of(const struct sm_witness *witness)
{
    const struct sm_options *options = &witness->options;
    return (struct sm_check_options){
        .model = (enum sm_model_id)options->model,
        .volatile_as = (enum sm_volatile_id)options->volatile_as,
        .prescient = options->prescient,
        .certified = options->model == SM_MODEL_HB && options->prescient &&
                     (options->explore != SM_EXPLORE_BY_CHOICES || witness->certificates.n),
        .all_watched = witness->watch_mode == SM_WATCH_ALL,
        .certificates = witness->certificates.at,
        .n_certificates = witness->certificates.n,
    };
}
