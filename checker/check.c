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

bool sm_check_records(const struct sm_record *records, uint64_t n,
                      const struct sm_check_options *options, struct sm_verdict *verdict)
{
    struct sm_execution x = {
        .records = records, .n_records = (uint32_t)n, .options = *options, .verdict = verdict};
    *verdict = (struct sm_verdict){.legal = true};
    if (n >= SM_FROM_INITIAL)
        return sm_broken_record(&x, SM_AXIOM_FORMAT, "there are too many records", 0, NULL);
    bool legal = judge(&x);
    if (legal)
        *verdict = (struct sm_verdict){.legal = true,
                                       .may_be_circular = options->prescient &&
                                                          options->model >= SM_MODEL_HB &&
                                                          sm_find_circle(&x)};
    sm_happens_free(&x);
    sm_execution_free(&x);
    return legal;
}
