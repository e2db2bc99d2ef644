// raise and kill run the handler before they return; masks hold it back until they are lifted.
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught[NSIG];

static void catch (int signo)
{
    caught[signo]++;
}

static void check_masks(void)
{
    sigset_t set, before, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    assert(sigprocmask(SIG_BLOCK, &set, &before) == 0 && !sigismember(&before, SIGUSR2));
    assert(raise(SIGUSR2) == 0 && raise(SIGUSR2) == 0 && caught[SIGUSR2] == 0);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2));
    assert(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
    assert(caught[SIGUSR2] == 1); /* two that were pending are one */
    assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR2));
}

int main(void)
{
    struct sigaction action = {.sa_handler = catch, .sa_flags = SA_RESETHAND}, old;
    assert(signal(SIGUSR2, catch) == SIG_DFL);
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    assert(raise(SIGUSR1) == 0 && caught[SIGUSR1] == 1);
    assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    check_masks();
    assert(kill(getpid(), SIGUSR2) == 0 && caught[SIGUSR2] == 2);
    assert(signal(SIGTERM, SIG_IGN) == SIG_DFL && raise(SIGTERM) == 0);
    assert(raise(SIGCHLD) == 0); /* ignored unless somebody cares */
    assert(kill(getpid(), 0) == 0);
    return 0;
}
