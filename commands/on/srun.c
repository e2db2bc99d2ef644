#include "commands/on/tasks.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/interrupt.h"

enum { MOST_SRUNS = 64 };

static bool start_srun(struct sm_on *on, size_t task)
{
    struct sm_buffer command = {0};
    sm_buffer_text(&command, "exec setsid sh ");
    sm_on_add_path(on, &command, "srun.sh");
    sm_buffer_print(&command, " %zu", task);
    for (size_t i = 0; i < on->excluded.n; i++)
        sm_buffer_print(&command, "%s%s", i ? "," : " --exclude=", on->excluded.items[i]);
    on->tasks[task - 1].srun = sm_on_start(on, command.data);
    on->tasks[task - 1].queued = SM_TASK_RUNS;
    on->tasks[task - 1].tries++;
    sm_buffer_free(&command);
    return on->tasks[task - 1].srun > 0;
}

/* boot.sh first says on which node it runs; if it did not get that far, too many nodes may be
   excluded. */
static void exclude_where_failed(struct sm_on *on, size_t task)
{
    char log[32], name[256];
    struct sm_buffer text = {0};
    snprintf(log, sizeof log, "log/%zu.node", task);
    if (!sm_on_read(on, log, &text) || !text.size || sscanf(text.data, "node %255s", name) != 1)
        sm_list_free(&on->excluded);
    else if (!sm_list_has(&on->excluded, name))
        sm_list_add(&on->excluded, name);
    sm_buffer_free(&text);
}

static size_t look_at_sruns(struct sm_on *on)
{
    size_t n = 0;
    for (size_t i = 0; i < on->n; i++) {
        int status = 0;
        struct sm_on_task *task = &on->tasks[i];
        if (task->srun && waitpid(task->srun, &status, WNOHANG) != 0) {
            task->srun = 0;
            task->queued = SM_NOT_QUEUED;
            if (status != 0)
                exclude_where_failed(on, i + 1);
        }
        n += task->srun != 0;
    }
    return n;
}

static bool start_sruns(struct sm_on *on, size_t running)
{
    bool ok = true;
    for (size_t i = 0; ok && i < on->n && running < MOST_SRUNS; i++) {
        const struct sm_on_task *task = &on->tasks[i];
        if (task->over || task->srun || task->tries >= SM_ON_TRIES)
            continue;
        ok = start_srun(on, i + 1);
        running++;
    }
    return ok;
}

static void end_sruns(struct sm_on *on)
{
    for (size_t i = 0; i < on->n; i++)
        if (on->tasks[i].srun)
            kill(-on->tasks[i].srun, SIGTERM);
    while (look_at_sruns(on))
        poll(NULL, 0, SM_ON_POLL_MS / 5);
}

bool sm_on_by_srun(struct sm_on *on)
{
    while (!sm_on_is_over(on) && sm_on_has_hope(on)) {
        if (sm_interrupt_signal()) {
            end_sruns(on);
            sm_on_say_what_is_over(on);
            return false;
        }
        size_t running = look_at_sruns(on);
        sm_on_count_over(on);
        if (!start_sruns(on, running))
            return false;
        sm_on_show(on, "slurm");
        sm_on_pause();
    }
    sm_on_wipe(on);
    return true;
}
