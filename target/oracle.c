#include "target/oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void child(const char *command, const struct sm_capture *output)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", output->fd);
    int input = open(path, O_RDONLY); /* with an offset of its own */
    if (input < 0 || dup2(input, 0) < 0 || dup2(2, 1) < 0)
        _exit(127);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

bool sm_oracle_ask(const char *command, const struct sm_capture *output, int *status,
                   struct sm_error *error)
{
    int result;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(command, output);
    if (pid < 0 || waitpid(pid, &result, 0) < 0)
        return sm_fail(error, SM_STATUS_TARGET, "cannot run the oracle: %s", strerror(errno));
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
