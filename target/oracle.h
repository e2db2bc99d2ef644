/* oracle.h - a shell command that decides whether the program's output is right. */
#ifndef SM_TARGET_ORACLE_H
#define SM_TARGET_ORACLE_H

#include "base/status.h"
#include "target/capture.h"

/* Runs the command with the output on its standard input. False if it cannot be run (also if the
   shell does not find it) or has not ended at the deadline (on the clock of sm_now; 0: none), else
   *status is its exit status. */
bool sm_oracle_ask(const char *command, const struct sm_capture *output, double deadline,
                   int *status, struct sm_error *error);

#endif
