/* A child knows its parent by the id that the parent knows itself by, and can signal it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int got;

static void handler(int signo)
{
    got = signo;
}

int main(void)
{
    pid_t me = getpid();
    int status;
    signal(SIGUSR1, handler);
    pid_t child = fork();
    if (!child) {
        if (getppid() != me || getpid() == me)
            _exit(9);
        _exit(kill(me, SIGUSR1) != 0);
    }
    waitpid(child, &status, 0);
    return status != 0 || got != SIGUSR1;
}
