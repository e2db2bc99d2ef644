/*
 * prove.h - from a failing case to a witness that anyone can replay.
 *
 * The execution is repeated exactly, with its events recorded. The checker, which is independent of
 * the runtime, must find it legal in its model; then the witness is written.
 */
#ifndef SM_HUNT_PROVE_H
#define SM_HUNT_PROVE_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"
#include "witness/witness.h"

struct sm_proof {
    struct sm_failure failure;
    char *witness;          /* file */
    enum sm_model_id model; /* in which it fails: hb, oota, or the one found by the ladder */
    struct sm_list story;
    struct sm_watchlist liars; /* sites of reads of stale or future values, and of delayed stores */
};
void sm_proof_free(struct sm_proof *proof);

/* Where two outputs differ first; to be freed. */
char *sm_output_difference(const char *usual, const char *now);
/* Checks a recorded execution in its model, and writes it; fills in all but the failure. An illegal
   one is kept, and is an error of status 70. */
bool sm_proof_write(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_witness *witness,
                    const char *name, struct sm_error *error);

/*
 * The witness's file is named after `name`. *proved is false when the execution did not fail again,
 * or needs oota and that is not wanted. An illegal one is kept, and is an error of status 70.
 */
bool sm_prove(struct sm_proof *proof, struct sm_hunt *hunt, const struct sm_case *failing,
              const char *name, bool *proved, struct sm_error *error);

#endif
