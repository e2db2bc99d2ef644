#include "target/oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"

static _Noreturn void child(const char *command, const struct sm_capture *output)
{
    setpgid(0, 0);
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", output->fd);
    int input = open(path, O_RDONLY); /* with an offset of its own */
    if (input < 0 || dup2(input, 0) < 0 || dup2(2, 1) < 0)
        _exit(127);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* False: it did not end in time; it and its children are killed. */
static bool wait_until(pid_t pid, double deadline, int *result)
{
    const struct timespec tick = {.tv_nsec = 2000000};
    while (waitpid(pid, result, deadline > 0 ? WNOHANG : 0) != pid) {
        if (sm_now() > deadline) {
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
            waitpid(pid, result, 0);
            return false;
        }
        nanosleep(&tick, NULL);
    }
    return true;
}

bool sm_oracle_ask(const char *command, const struct sm_capture *output, double deadline,
                   int *status, struct sm_error *error)
{
    int result = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(command, output);
    if (pid < 0)
        return sm_fail(error, SM_STATUS_TARGET, "cannot run the oracle: %s", strerror(errno));
    if (!wait_until(pid, deadline, &result))
        return sm_fail(error, SM_STATUS_TARGET,
                       "the oracle '%s' had not answered when the time was over; give more with "
                       "--time SECONDS",
                       command);
    if (!WIFEXITED(result))
        return sm_fail(error, SM_STATUS_USAGE, "the oracle '%s' died of signal %d (%s)", command,
                       WTERMSIG(result), strsignal(WTERMSIG(result)));
    *status = WEXITSTATUS(result);
    if (*status == 126 || *status == 127)
        return sm_fail(error, SM_STATUS_USAGE,
                       "the oracle '%s' cannot be run; --oracle wants a shell command that reads "
                       "the output on its standard input, as in: --oracle 'grep -q done'",
                       command);
    return true;
}
