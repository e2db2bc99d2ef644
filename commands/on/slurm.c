#include "commands/on/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

static bool write_jobs(struct sm_on *on)
{
    struct sm_buffer text = {0};
    for (size_t i = 0; i < on->jobs.n; i++)
        sm_buffer_print(&text, "%s\n", on->jobs.items[i]);
    bool ok = sm_on_write(on, "job", &text);
    sm_buffer_free(&text);
    return ok;
}

static void read_jobs(struct sm_on *on)
{
    struct sm_buffer text = {0};
    if (sm_on_read(on, "job", &text) && text.size)
        sm_split_words(text.data, &on->jobs);
    sm_buffer_free(&text);
}

static void add_numbers(const struct sm_on *on, struct sm_buffer *to)
{
    const char *comma = "";
    for (size_t i = 0; i < on->n; i++) {
        const struct sm_on_task *task = &on->tasks[i];
        if (task->over || task->queued || task->tries >= SM_ON_TRIES)
            continue;
        sm_buffer_print(to, "%s%zu", comma, i + 1);
        comma = ",";
    }
}

/* sbatch for these tasks; its answer is the number of the job, or an error message. */
static bool call_sbatch(const struct sm_on *on, const char *numbers, bool excludes,
                        struct sm_buffer *answer)
{
    struct sm_buffer command = {0};
    sm_buffer_print(&command,
                    "sbatch --parsable --requeue --job-name=stalemate-%s --open-mode=append "
                    "--array=%s",
                    on->word, numbers);
    for (size_t i = 0; excludes && i < on->excluded.n; i++)
        sm_buffer_print(&command, "%s%s", i ? "," : " --exclude=", on->excluded.items[i]);
    sm_buffer_text(&command, " --output=");
    sm_on_add_path(on, &command, "log/%a");
    sm_buffer_text(&command, " ");
    sm_on_add_path(on, &command, "job.sh");
    int status = sm_on_capture(command.data, answer);
    answer->data[strcspn(answer->data, ";\n")] = 0;
    sm_buffer_free(&command);
    return status == 0 && atol(answer->data) > 0;
}

static void note_submitted(struct sm_on *on)
{
    for (size_t i = 0; i < on->n; i++) {
        struct sm_on_task *task = &on->tasks[i];
        if (task->over || task->queued || task->tries >= SM_ON_TRIES)
            continue;
        task->tries++;
        task->queued = SM_TASK_WAITS;
        task->missed = 0;
    }
}

/* Submits the tasks that are neither finished nor in the queue; on other nodes than those on which
   one was lost, if there are any. */
static bool submit(struct sm_on *on)
{
    struct sm_buffer numbers = {0}, answer = {0};
    add_numbers(on, &numbers);
    bool ok = !numbers.size || call_sbatch(on, numbers.data, true, &answer) ||
              call_sbatch(on, numbers.data, false, &answer);
    if (!ok)
        sm_fail(&on->error, SM_STATUS_TARGET,
                "sbatch does not take the job: %s; partition, account and limits can be given in "
                "the variables SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT",
                answer.data);
    if (ok && numbers.size) {
        note_submitted(on);
        sm_list_add(&on->jobs, answer.data);
        ok = write_jobs(on);
    }
    sm_buffer_free(&numbers);
    sm_buffer_free(&answer);
    return ok;
}

static void note_line(struct sm_on *on, const char *line)
{
    char state[32];
    unsigned long number;
    if (sscanf(line, "%lu %31s", &number, state) == 2 && number >= 1 && number <= on->n)
        on->tasks[number - 1].queued =
            strcmp(state, "RUNNING") == 0 || strcmp(state, "COMPLETING") == 0 ? SM_TASK_RUNS
                                                                              : SM_TASK_WAITS;
}

/* False: no answer; the controller may be restarting. One job after the other: for a list squeue
   shows nothing if one of them is forgotten. */
static bool look_at_queue(struct sm_on *on)
{
    struct sm_buffer answer = {0};
    bool ok = true;
    for (size_t i = 0; i < on->n; i++)
        on->tasks[i].queued = SM_NOT_QUEUED;
    for (size_t i = 0; ok && i < on->jobs.n; i++) {
        char *command = sm_print("squeue -h -r -j %s -o '%%K %%T'", on->jobs.items[i]);
        int status = sm_on_capture(command, &answer);
        free(command);
        if (status != 0) {
            ok = answer.data && strstr(answer.data, "Invalid job id");
            continue;
        }
        for (const char *line = answer.data; line && *line; line += strcspn(line, "\n") + 1) {
            note_line(on, line);
            if (!line[strcspn(line, "\n")])
                break;
        }
    }
    sm_buffer_free(&answer);
    return ok;
}

/* Slurm remembers a job for some minutes after its end. */
static void exclude_node(struct sm_on *on, size_t task)
{
    struct sm_buffer answer = {0};
    const char *last = on->jobs.n ? on->jobs.items[on->jobs.n - 1] : "0";
    char *command = sm_print("scontrol show -o job %s_%zu", last, task), name[256];
    const char *at =
        sm_on_capture(command, &answer) == 0 ? strstr(answer.data, " NodeList=") : NULL;
    if (at && sscanf(at, " NodeList=%255[A-Za-z0-9_.-]", name) == 1 &&
        strcmp(name, "(null)") != 0 && !sm_list_has(&on->excluded, name))
        sm_list_add(&on->excluded, name);
    free(command);
    sm_buffer_free(&answer);
}

/* Missing three times in a row: a status file may become visible after the end of its task. */
static void find_lost(struct sm_on *on)
{
    enum { LOOKS = 3 };
    for (size_t i = 0; i < on->n; i++) {
        struct sm_on_task *task = &on->tasks[i];
        task->missed = task->over || task->queued ? 0 : task->missed + 1;
        if (!task->missed)
            continue;
        if (task->missed < LOOKS)
            task->queued = SM_TASK_WAITS;
        else
            exclude_node(on, i + 1);
    }
}

static void add_jobs(const struct sm_on *on, struct sm_buffer *to)
{
    for (size_t i = 0; i < on->jobs.n; i++)
        sm_buffer_print(to, " %s", on->jobs.items[i]);
}

static void cancel_rest(struct sm_on *on)
{
    struct sm_buffer command = {0}, answer = {0};
    sm_buffer_text(&command, "scancel");
    add_jobs(on, &command);
    if (on->jobs.n)
        sm_on_capture(command.data, &answer);
    sm_buffer_free(&command);
    sm_buffer_free(&answer);
}

/* Jobs continue in the queue. */
static void say_how_to_go_on(struct sm_on *on)
{
    struct sm_buffer jobs = {0};
    add_jobs(on, &jobs);
    fprintf(stderr,
            "stalemate: %s: the jobs go on without this command; to follow them again, and to have "
            "the result, type the same command; to cancel them: scancel%s\n",
            on->word, jobs.data ? jobs.data : "");
    sm_buffer_free(&jobs);
}

bool sm_on_by_slurm(struct sm_on *on)
{
    read_jobs(on);
    bool known = look_at_queue(on);
    if (!sm_on_is_over(on) && known && !submit(on))
        return false;
    while (!sm_on_is_over(on) && sm_on_has_hope(on)) {
        if (sm_interrupt_signal()) {
            sm_on_wipe(on);
            say_how_to_go_on(on);
            return false;
        }
        sm_on_show(on, "slurm");
        sm_on_pause();
        if (!look_at_queue(on))
            continue;
        sm_on_count_over(on);
        find_lost(on);
        if (!submit(on))
            return false;
    }
    sm_on_wipe(on);
    cancel_rest(on);
    return true;
}
