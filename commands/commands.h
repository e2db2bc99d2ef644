/*
 * commands.h - the main functions of the subcommands, and the help they share.
 *
 * Each takes argc and argv as main does, argv[0] being the command's name, and returns
 * the exit status of the process.
 */
#ifndef SM_COMMANDS_COMMANDS_H
#define SM_COMMANDS_COMMANDS_H

#include "base/options.h"

int sm_run_main(int argc, char **argv);
int sm_replay_main(int argc, char **argv);
int sm_check_main(int argc, char **argv);
int sm_hunt_main(int argc, char **argv);
int sm_verify_main(int argc, char **argv);
int sm_detect_main(int argc, char **argv);
int sm_atomicity_main(int argc, char **argv);
int sm_campaign_main(int argc, char **argv);
int sm_fix_main(int argc, char **argv);
int sm_harness_main(int argc, char **argv);
int sm_merge_main(int argc, char **argv);
int sm_report_main(int argc, char **argv);

/* `hunt --fix` with the arguments of hunt: the same as `fix`. */
int sm_fix_instead(char **argv);

/* For merge: makes the result from the stores of shards. Takes ownership of the settings. */
int sm_hunt_gathered(struct sm_settings *settings);
int sm_run_trials_gathered(struct sm_settings *settings);
int sm_detect_gathered(struct sm_settings *settings);
int sm_atomicity_gathered(struct sm_settings *settings);

/* --help of a command that has options of options.def, on standard output. */
void sm_command_help(const char *name, enum sm_command_bit command);

#endif
