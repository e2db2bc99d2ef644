#include "commands/on/tasks.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/interrupt.h"
#include "commands/on/bundle.h"

/* The directory on the node is named after the token, because two campaigns may use one node. GNU
   parallel copies nothing to this machine. */
static void add_copies(struct sm_on *on, struct sm_buffer *command)
{
    struct sm_buffer token = {0}, task = {0};
    sm_on_keep_token(on, &token);
    sm_buffer_text(&task, "if [ -e boot.sh ]; then sh boot.sh {}; else sh ");
    sm_on_add_path(on, &task, "boot.sh");
    sm_buffer_text(&task, " {}; fi");
    sm_buffer_print(command,
                    " --workdir .stalemate-%s --basefile " SM_BUNDLE_FILE
                    " --basefile boot.sh --return 'return/{}' --cleanup ",
                    token.data);
    sm_quote_word(task.data, command);
    sm_buffer_free(&token);
    sm_buffer_free(&task);
}

static void add_own_place(struct sm_on *on, struct sm_buffer *command)
{
    sm_buffer_text(command, " sh ");
    sm_on_add_path(on, command, "task.sh");
    sm_buffer_text(command, " '{}' '>'");
    sm_on_add_path(on, command, "log/'{}'");
    sm_buffer_text(command, " '2>&1'");
}

static pid_t start_parallel(struct sm_on *on)
{
    struct sm_buffer command = {0};
    sm_buffer_text(&command, "cd ");
    sm_on_add_path(on, &command, "");
    sm_buffer_text(&command, " && exec parallel --will-cite --retries 3");
    if (on->settings->jobs)
        sm_buffer_print(&command, " -j %lu", (unsigned long)on->settings->jobs);
    sm_buffer_text(&command, " --joblog joblog");
    if (on->settings->copy)
        add_copies(on, &command);
    else
        add_own_place(on, &command);
    sm_buffer_print(&command, " ::: $(seq %zu) </dev/null 2>log/parallel", on->n);
    pid_t pid = sm_on_start(on, command.data);
    sm_buffer_free(&command);
    return pid;
}

bool sm_on_by_parallel(struct sm_on *on)
{
    struct sm_buffer version = {0};
    bool there =
        sm_on_capture("parallel --version", &version) == 0 && strstr(version.data, "GNU parallel");
    sm_buffer_free(&version);
    if (!there)
        return sm_fail(&on->error, SM_STATUS_TARGET,
                       "GNU parallel is not there; in Debian: apt install parallel");
    int status = 0;
    pid_t pid = start_parallel(on);
    while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
        if (sm_interrupt_signal()) { /* the first lets running tasks end, the second kills them */
            kill(pid, SIGTERM);
            poll(NULL, 0, SM_ON_POLL_MS);
            kill(pid, SIGTERM);
            waitpid(pid, &status, 0);
            sm_on_say_what_is_over(on);
            return false;
        }
        sm_on_show(on, "parallel");
        sm_on_pause();
    }
    sm_on_wipe(on);
    return pid > 0;
}
