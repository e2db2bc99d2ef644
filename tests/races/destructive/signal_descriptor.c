// race: x, y
/* Not what is done after the signal was sent. */
#define _GNU_SOURCE
#include "../race.h"
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

int x, y;
static int descriptor;

static void *a(void *unused)
{
    kill(getpid(), SIGUSR1);
    x = 1;
    after(0);
    kill(getpid(), SIGUSR2);
    y = 1;
    return unused;
}

static void *b(void *unused)
{
    struct signalfd_siginfo info;
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    if (read(descriptor, &info, sizeof info) != sizeof info)
        abort();
    USE(x);
    done(0);
    if (poll(&one, 1, -1) != 1)
        abort();
    USE(y);
    return unused;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    descriptor = signalfd(-1, &set, 0);
    run(a, b);
    return 0;
}
