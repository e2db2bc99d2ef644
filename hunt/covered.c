#include "hunt/covered.h"

#include <stdlib.h>

#include "abi/coverage.h"

void sm_covered_add(struct sm_covered *covered, struct sm_result *result, size_t n)
{
    for (size_t i = 0; i < result->n_covered; i++)
        if (sm_hashes_add(&covered->keys, result->covered[i]))
            covered->last_new = n;
    covered->lost += result->facts.covered_lost;
    if (result->facts.covered_lost) /* any of them may be new */
        covered->last_new = n;
    free(result->covered);
    result->covered = NULL;
    result->n_covered = 0;
}

struct sm_coverage sm_covered_count(const struct sm_covered *covered, enum sm_trials_end ended)
{
    struct sm_coverage coverage = {.lost = covered->lost, .ended = ended};
    for (size_t i = 0; i < covered->keys.n; i++)
        if (covered->keys.items[i] & SM_COVERED_ORDER)
            coverage.orders++;
        else
            coverage.pairs++;
    return coverage;
}

void sm_covered_free(struct sm_covered *covered)
{
    sm_hashes_clear(&covered->keys);
}
