// no race
/* What a thread does before it creates a child process happens before the signal of its end. */
#define _GNU_SOURCE
#include "../race.h"
#include <signal.h>
#include <sys/wait.h>

int x;
static sigset_t set;

static void fork_child(void)
{
    if (fork() == 0)
        _exit(0);
}

static void *a(void *unused)
{
    x = 1;
    fork_child();
    done(0);
    return unused;
}

static void *b(void *unused)
{
    siginfo_t info;
    after(0);
    if (sigwaitinfo(&set, &info) != SIGCHLD)
        abort();
    USE(x);
    return unused;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    run(a, b);
    while (wait(NULL) > 0)
        ;
    return 0;
}
