/*
 * run_trials.h - `stalemate run --trials N`: plain exploration of schedules.
 *
 * Seeds are consecutive, and the schedules random, pct and pos alternate unless one is given.
 * Failures of equal kind and place are one; each is reported with the first seed that shows it, how
 * often it was seen, and a witness that the checker has found legal.
 */
#ifndef SM_COMMANDS_RUN_TRIALS_H
#define SM_COMMANDS_RUN_TRIALS_H

#include "base/options.h"

/* Returns the exit status of the command. */
int sm_run_trials(struct sm_settings *settings);

#endif
