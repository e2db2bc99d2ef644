/*
 * prove.h - from a failing case to a witness that anyone can replay.
 *
 * The execution is made once more, exactly, with its events recorded. The checker, which
 * knows nothing of the runtime, must find it legal in its model; then it is written down.
 */
#ifndef SM_HUNT_PROVE_H
#define SM_HUNT_PROVE_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"

struct sm_proof {
    struct sm_failure failure;
    char *witness;          /* file */
    enum sm_model_id model; /* in which it fails: hb, oota, or the one that the ladder led to */
    struct sm_list story;
    struct sm_watchlist liars; /* sites of reads of stale or future values, and of delayed stores */
};
void sm_proof_free(struct sm_proof *proof);

/*
 * The witness's file is named after `name`. *proved is false when the execution did not
 * fail again, or needs oota and that is not wanted. One that is illegal is kept, and is an
 * error of status 70.
 */
bool sm_prove(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_case *failing,
              const char *name, bool *proved, struct sm_error *error);

#endif
