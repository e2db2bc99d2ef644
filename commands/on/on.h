/*
 * on.h - a command whose executions are made elsewhere (`--on slurm|parallel|script`).
 *
 * The work is N tasks: the shards of a hunt or a detect (campaign/shards.h), or N workers of a
 * verify that share a directory (campaign/parcels.h). All files of the tasks are in the directory
 * DIR/on of --out DIR:
 *
 *   plan       command, options and program; the same command continues from there, another
 *              one is refused
 *   task.sh    task.sh I makes task I; a finished one is not made again
 *   input      standard input of the program
 *   status/I   exit status of task I, when it is finished
 *   log/I      what it printed
 *   shard-I    its store; verify: parcels/
 *   job        numbers of Slurm's jobs
 *   bundle.tar.gz, boot.sh, run.sh, srun.sh   with --copy: what goes to a node (bundle.h), and how
 *              a task begins there
 *   return/I   what came back of it, until it is unpacked
 *
 * Whether a task is finished is decided by status/I only, not by Slurm: the file is written after
 * the store is complete, and no accounting database is needed. A task that has neither that file
 * nor a place in the queue was lost (its node died, or its disk was full): it is submitted again,
 * three times at most. Then this process becomes `stalemate merge` (or a last worker of verify),
 * whose result is the command's.
 */
#ifndef SM_COMMANDS_ON_ON_H
#define SM_COMMANDS_ON_ON_H

#include "base/options.h"

/* The exit status; does not return if there is something to merge. `word`: "hunt". */
int sm_on(const struct sm_settings *settings, enum sm_command_bit command, const char *word);

#endif
