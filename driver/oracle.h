/* oracle.h - a shell command that says whether the program's output is right. */
#ifndef SM_DRIVER_ORACLE_H
#define SM_DRIVER_ORACLE_H

#include "capture.h"
#include "status.h"

/* Runs the command with the output on its standard input. False when it cannot be run (a
   shell that finds no such command counts), else *status is its exit status. */
bool sm_oracle_ask(const char *command, const struct sm_capture *output, int *status,
                   struct sm_error *error);

#endif
