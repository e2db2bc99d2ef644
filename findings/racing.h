/*
 * racing.h - the data races of one execution: pairs of its records.
 *
 * Happens-before is the checker's. Each access is compared with the last conflicting access of each
 * other thread. So every location that races has a pair, the first race of the execution is among
 * them, and the time is proportional to records times threads.
 */
#ifndef SM_FINDINGS_RACING_H
#define SM_FINDINGS_RACING_H

#include "findings/why.h"

struct sm_racing_pair {
    size_t from, to; /* records, from the earlier one */
};
struct sm_racing {
    struct sm_racing_pair *items; /* by `to`, then by `from` */
    size_t n;
};

struct sm_racing sm_racing_find(const struct sm_witness *witness, const struct sm_reasons *reasons);
void sm_racing_free(struct sm_racing *racing);

#endif
