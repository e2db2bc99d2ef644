// race: x
/* What a thread does after it has created a child process is not ordered with the signal of its
   end. */
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
    fork_child();
    x = 1;
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
