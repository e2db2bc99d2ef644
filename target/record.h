/* record.h - between an execution and its witness. */
#ifndef SM_TARGET_RECORD_H
#define SM_TARGET_RECORD_H

#include "target/outcome.h"
#include "target/target.h"
#include "witness/witness.h"

/* Everything about the execution just made that another one needs to be the same. */
void sm_record_execution(struct sm_witness *witness, const struct sm_target *target,
                         const struct sm_outcome *outcome, const struct sm_sites *sites);

/* Sets up the target's shared memory so that its next execution is the recorded one, and
   the options to run it with. False when the witness does not fit. */
bool sm_record_load(const struct sm_witness *witness, struct sm_target *target,
                    struct sm_options *options, struct sm_error *error);

/* The execution has ended as the recorded one did. */
bool sm_record_ends_alike(const struct sm_witness *witness, const struct sm_outcome *outcome);

#endif
