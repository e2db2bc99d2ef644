/* outcomes.h - the distinct outputs of complete executions, and how often each was seen. */
#ifndef SM_VERIFY_RESULTS_OUTCOMES_H
#define SM_VERIFY_RESULTS_OUTCOMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verify/results/parcel.h"

void sm_outcomes_start(void); /* once */
void sm_outcomes_clear(void);
/* Another execution, which has the outcomes that are added next. */
void sm_outcomes_begin(void);
/* What the execution printed (prints.h): counts for it once. Returns a number for it, from 1; 0:
   there are too many. */
uint32_t sm_outcomes_add(const char *text, size_t size);
/* Counts one more execution with that outcome. False: the outcome is forbidden. */
bool sm_outcomes_again(uint32_t number);
/* A remark on the execution if the driver is to be shown it, else NULL: that its output
   is forbidden (--expect), or SM_EXAMPLE and the hash of its output, which is new (--examples). */
const char *sm_outcomes_remark(void);
bool sm_outcomes_is_example(void);
/* Hands them to the driver: struct sm_explored_outcome (abi/control.h), each padded to 8 bytes. */
void sm_outcomes_publish(struct sm_parcel *to);

#endif
