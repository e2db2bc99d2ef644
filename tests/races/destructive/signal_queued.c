// race: x
/* What is done after a signal was sent is not seen by who waits for it. */
#define _GNU_SOURCE
#include "../race.h"
#include <signal.h>

int x;
static sigset_t set;
static _Atomic pthread_t receiver;

static void *a(void *unused)
{
    after(0);
    pthread_sigqueue(receiver, SIGRTMIN, (union sigval){.sival_int = 1});
    x = 1;
    done(1);
    return unused;
}

static void *b(void *unused)
{
    siginfo_t info;
    receiver = pthread_self();
    done(0);
    if (sigwaitinfo(&set, &info) != SIGRTMIN)
        abort();
    after(1);
    USE(x);
    return unused;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    run(a, b);
    return 0;
}
