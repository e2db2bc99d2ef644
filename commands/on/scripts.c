#include "commands/on/tasks.h"

#include <stdlib.h>

#include "target/spawn.h"

void sm_on_add_operands(const struct sm_on *on, struct sm_buffer *to)
{
    sm_buffer_text(to, " --");
    for (size_t i = 0; i < on->settings->operands.n; i++) {
        sm_buffer_text(to, " ");
        sm_quote_word(on->settings->operands.items[i], to);
    }
}

void sm_on_add_path(const struct sm_on *on, struct sm_buffer *to, const char *name)
{
    char *path = sm_print("%s/%s", on->base, name);
    sm_quote_word(path, to);
    free(path);
}

bool sm_on_is_verify(const struct sm_on *on)
{
    return on->command == SM_COMMAND_VERIFY;
}

/* `hunt` and the options that all tasks have. */
void sm_on_add_options(const struct sm_on *on, struct sm_buffer *to)
{
    sm_buffer_print(to, " %s", on->word);
    sm_settings_plan(on->settings, on->command, to);
    if (on->settings->time > 0)
        sm_buffer_print(to, " --time %g", on->settings->time);
}

void sm_on_add_command(const struct sm_on *on, struct sm_buffer *to)
{
    sm_quote_word(on->self, to);
    sm_on_add_options(on, to);
}

/* All tasks have the environment of this command, in the same order: GNU parallel changes the
   order, and nodes have variables of their own. */
void sm_on_add_environment(struct sm_buffer *to)
{
    struct sm_list environment = {0};
    sm_spawn_environment(&environment);
    sm_buffer_text(to, "env -i");
    for (size_t i = 0; i < environment.n; i++) {
        sm_buffer_text(to, " ");
        sm_quote_word(environment.items[i], to);
    }
    sm_buffer_text(to, " \\\n    ");
    sm_list_free(&environment);
}

/* The task's number is in the shell's variable i. */
static void add_task(const struct sm_on *on, struct sm_buffer *to)
{
    sm_on_add_environment(to);
    sm_on_add_command(on, to);
    sm_buffer_text(to, " --quiet --jobs \"$jobs\" ");
    if (sm_on_is_verify(on)) {
        sm_buffer_text(to, "--out \"$base/worker-$i\" --parcels ");
        sm_on_add_path(on, to, "parcels");
    } else {
        sm_buffer_print(to, "--shard \"$i/%zu\" --out \"$base/shard-$i\"", on->n);
    }
    sm_on_add_operands(on, to);
}

/* Number of workers of a task. */
void sm_on_add_jobs_of_task(const struct sm_on *on, struct sm_buffer *to)
{
    bool given = on->settings->on != SM_ON_PARALLEL && on->settings->jobs;
    sm_buffer_print(to, "\njobs=${SLURM_CPUS_PER_TASK:-%lu}\n",
                    (unsigned long)(given ? on->settings->jobs : 1));
}

/* A task that has ended with 0 or 1 is not made again. The status file is put in place by
   rename. */
bool sm_on_write_task(struct sm_on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_print(&text,
                    "#!/bin/sh\n# task.sh I: task I of %zu; what came of it is in status/I\n"
                    "i=$1\nbase=",
                    on->n);
    sm_quote_word(on->base, &text);
    sm_on_add_jobs_of_task(on, &text);
    sm_buffer_text(&text, "cd ");
    sm_quote_word(on->directory, &text);
    sm_buffer_text(&text,
                   " || exit 3\ncase $(cat \"$base/status/$i\" 2>/dev/null) in 0 | 1) exit 0 ;; "
                   "esac\n");
    add_task(on, &text);
    sm_buffer_text(&text, " <\"$base/input\"\nstatus=$?\n"
                          "echo $status >\"$base/status/.$i.$$\" &&\n"
                          "    mv \"$base/status/.$i.$$\" \"$base/status/$i\"\nexit $status\n");
    bool ok = sm_on_write(on, "task.sh", &text);
    sm_buffer_free(&text);
    return ok;
}

bool sm_on_write_job(struct sm_on *on)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "#!/bin/sh\nexec sh ");
    sm_on_add_path(on, &text, "task.sh");
    sm_buffer_text(&text, " \"$SLURM_ARRAY_TASK_ID\"\n");
    bool ok = sm_on_write(on, "job.sh", &text);
    sm_buffer_free(&text);
    return ok;
}
