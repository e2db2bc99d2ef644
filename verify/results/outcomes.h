/* outcomes.h - the distinct outputs of complete executions, and how often each was seen. */
#ifndef SM_VERIFY_RESULTS_OUTCOMES_H
#define SM_VERIFY_RESULTS_OUTCOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "verify/results/parcel.h"

void sm_outcomes_start(void); /* once */
void sm_outcomes_clear(void);
/* Adds what the execution wrote to standard output and by stalemate_outcome. Returns a number for
   it, from 1; 0: there are too many. */
uint32_t sm_outcomes_add(void);
/* One more execution with that outcome. False: it must not be. */
bool sm_outcomes_again(uint32_t number);
/* What the execution last added wrote, if it must not (option --expect); else NULL. */
const char *sm_outcomes_forbidden(void);
/* Hands them to the driver: struct sm_explored_outcome (abi/control.h), each padded to 8 bytes. */
void sm_outcomes_publish(struct sm_parcel *to);

#endif
