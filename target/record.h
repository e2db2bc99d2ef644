/* record.h - makes a witness of an execution, and prepares the replay of one. */
#ifndef SM_TARGET_RECORD_H
#define SM_TARGET_RECORD_H

#include "target/outcome.h"
#include "target/target.h"
#include "witness/witness.h"

/* Everything about the last execution that is needed to repeat it. */
void sm_record_execution(struct sm_witness *witness, const struct sm_target *target,
                         const struct sm_outcome *outcome, const struct sm_sites *sites);

/* Sets up the target's shared memory so that its next execution is the recorded one, and the
   options to run it with. False if the witness does not match. */
bool sm_record_load(const struct sm_witness *witness, struct sm_target *target,
                    struct sm_options *options, struct sm_error *error);

/* The execution has ended like the recorded one. */
bool sm_record_ends_alike(const struct sm_witness *witness, const struct sm_outcome *outcome);

#endif
