/*
 * tasks.h - what the files of this folder share: a campaign that is divided into tasks.
 *
 *   directory.c  DIR/on: what is kept there, and that it belongs to this command
 *   scripts.c    the words of a task's command, and the shell scripts that run it
 *   copies.c     the same on nodes that do not see DIR/on (bundle.h)
 *   tasks.c      finished tasks, the progress line, processes
 *   slurm.c srun.c parallel.c script.c   one backend each
 *   on.c         prepare, run a backend, merge
 *
 * One process, one thread: everything is shared through files.
 */
#ifndef SM_COMMANDS_ON_TASKS_H
#define SM_COMMANDS_ON_TASKS_H

#include <limits.h>
#include <sys/types.h>

#include "base/options.h"

enum { SM_ON_TRIES = 3, SM_ON_POLL_MS = 500 };

enum sm_queued { SM_NOT_QUEUED, SM_TASK_WAITS, SM_TASK_RUNS };

struct sm_on {
    const struct sm_settings *settings;
    enum sm_command_bit command;
    const char *word;
    char self[PATH_MAX], base[PATH_MAX], directory[PATH_MAX];
    size_t n; /* tasks; each has an entry below */
    struct sm_on_task {
        bool over;             /* with status 0 or 1 */
        enum sm_queued queued; /* as reported by the backend */
        unsigned tries, missed;
        pid_t srun; /* copied: the process that waits for it here; 0: none */
    } *tasks;
    struct sm_list jobs;     /* of Slurm */
    struct sm_list excluded; /* nodes on which a task was lost */
    bool shown;
    struct sm_error error;
};

/* ---- directory.c: files are named relative to DIR/on ---- */

bool sm_on_locate(struct sm_on *on);
bool sm_on_make_directory(struct sm_on *on, const char *name);
bool sm_on_write(struct sm_on *on, const char *name, const struct sm_buffer *text);
bool sm_on_read(const struct sm_on *on, const char *name, struct sm_buffer *text);
/* False: DIR/on has the tasks of another command. */
bool sm_on_agree(struct sm_on *on);
bool sm_on_keep_input(struct sm_on *on);

/* ---- scripts.c: each word is quoted for the shell ---- */

bool sm_on_is_verify(const struct sm_on *on);
void sm_on_add_path(const struct sm_on *on, struct sm_buffer *to, const char *name);
/* `hunt` and the options that all tasks have. */
void sm_on_add_options(const struct sm_on *on, struct sm_buffer *to);
/* The same, with this program before it. */
void sm_on_add_command(const struct sm_on *on, struct sm_buffer *to);
void sm_on_add_operands(const struct sm_on *on, struct sm_buffer *to);
void sm_on_add_environment(struct sm_buffer *to);
/* The shell's variable `jobs`: workers of a task. */
void sm_on_add_jobs_of_task(const struct sm_on *on, struct sm_buffer *to);
bool sm_on_write_task(struct sm_on *on);
bool sm_on_write_job(struct sm_on *on);

/* ---- copies.c ---- */

bool sm_on_prepare_copies(struct sm_on *on);
/* The token identifies a node that sees DIR/on after all. */
bool sm_on_keep_token(struct sm_on *on, struct sm_buffer *token);
/* Unpacks the result of a task that was copied. */
void sm_on_unpack(struct sm_on *on, size_t task);

/* ---- tasks.c ---- */

/* What the command prints, both streams; its status, or -1. */
int sm_on_capture(const char *command, struct sm_buffer *text);
pid_t sm_on_start(struct sm_on *on, const char *command);
size_t sm_on_count_over(struct sm_on *on);
/* All tasks are finished; or one worker of verify, which ends when everything is explored. */
bool sm_on_is_over(struct sm_on *on);
/* An unfinished task is queued, or may be submitted again. */
bool sm_on_has_hope(const struct sm_on *on);
void sm_on_show(struct sm_on *on, const char *where);
void sm_on_wipe(struct sm_on *on);
void sm_on_pause(void);
void sm_on_say_what_is_over(struct sm_on *on);

/* ---- backends: false when interrupted, or with an error ---- */

bool sm_on_by_slurm(struct sm_on *on);
bool sm_on_by_srun(struct sm_on *on);
bool sm_on_by_parallel(struct sm_on *on);
bool sm_on_print_script(struct sm_on *on);

#endif
