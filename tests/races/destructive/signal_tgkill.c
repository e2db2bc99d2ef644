// race: x
/* What is done after a signal was sent by tgkill is not seen by its handler. */
#define _GNU_SOURCE
#include "../race.h"
#include <signal.h>

int x;
static sigset_t set;
static _Atomic pid_t receiver;

static void handler(int signo)
{
    USE(x + signo);
}

static void *a(void *unused)
{
    after(0);
    tgkill(getpid(), receiver, SIGUSR1);
    x = 1;
    done(1);
    return unused;
}

static void *b(void *unused)
{
    receiver = gettid();
    done(0);
    after(1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return unused;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, handler);
    run(a, b);
    return 0;
}
