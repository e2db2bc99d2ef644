#include "commands/on/tasks.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"

/* What the command prints, both streams; its status, or -1. */
int sm_on_capture(const char *command, struct sm_buffer *text)
{
    char chunk[4096], *all = sm_print("{ %s\n} 2>&1", command);
    size_t n;
    text->size = 0;
    FILE *pipe = popen(all, "re");
    free(all);
    if (!pipe)
        return -1;
    while ((n = fread(chunk, 1, sizeof chunk, pipe)) > 0)
        sm_buffer_add(text, chunk, n);
    int status = pclose(pipe);
    sm_buffer_add(text, "", 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t sm_on_count_over(struct sm_on *on)
{
    size_t n = 0;
    for (size_t i = 0; i < on->n; i++) {
        char name[32];
        struct sm_buffer text = {0};
        snprintf(name, sizeof name, "status/%zu", i + 1);
        sm_on_unpack(on, i + 1);
        if (!on->tasks[i].over && sm_on_read(on, name, &text) && text.size)
            on->tasks[i].over = text.data[0] <= '1' && text.data[1] == '\n';
        sm_buffer_free(&text);
        n += on->tasks[i].over;
    }
    return n;
}

/* All tasks are finished; or one worker of verify, which ends when everything is explored. */
bool sm_on_is_over(struct sm_on *on)
{
    size_t n = sm_on_count_over(on);
    return n == on->n || (sm_on_is_verify(on) && n);
}

void sm_on_show(struct sm_on *on, const char *where)
{
    size_t waits = 0, runs = 0, again = 0, over = sm_on_count_over(on);
    if (on->settings->quiet || !isatty(STDERR_FILENO))
        return;
    for (size_t i = 0; i < on->n; i++) {
        waits += !on->tasks[i].over && on->tasks[i].queued == SM_TASK_WAITS;
        runs += !on->tasks[i].over && on->tasks[i].queued == SM_TASK_RUNS;
        again += on->tasks[i].tries > 1 ? on->tasks[i].tries - 1 : 0;
    }
    on->shown = true;
    fprintf(stderr, "\r\033[K%s on %s: %zu of %zu tasks are over, %zu run, %zu wait", on->word,
            where, over, on->n, runs, waits);
    if (again)
        fprintf(stderr, ", %zu were lost and submitted again", again);
    fflush(stderr);
}

void sm_on_wipe(struct sm_on *on)
{
    if (on->shown)
        fputs("\r\033[K", stderr);
    on->shown = false;
}

void sm_on_pause(void)
{
    struct pollfd interrupt = {.fd = sm_interrupt_fd(), .events = POLLIN};
    poll(&interrupt, 1, SM_ON_POLL_MS);
}

bool sm_on_has_hope(const struct sm_on *on)
{
    for (size_t i = 0; i < on->n; i++)
        if (!on->tasks[i].over && (on->tasks[i].queued || on->tasks[i].tries < SM_ON_TRIES))
            return true;
    return false;
}

pid_t sm_on_start(struct sm_on *on, const char *command)
{
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (pid < 0)
        sm_fail(&on->error, SM_STATUS_TARGET, "cannot start a process: %s", strerror(errno));
    return pid;
}

void sm_on_say_what_is_over(struct sm_on *on)
{
    sm_on_wipe(on);
    fprintf(stderr,
            "stalemate: %s: %zu of %zu tasks are over; the same command goes on with the others\n",
            on->word, sm_on_count_over(on), on->n);
}
