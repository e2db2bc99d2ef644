// no race
/* An event counter that is increased before the signal is sent. */
#define _GNU_SOURCE
#include "../race.h"
#include <signal.h>
#include <sys/eventfd.h>

int x;
static int counter;

static void *a(void *unused)
{
    x = 1;
    if (eventfd_write(counter, 1) != 0)
        abort();
    kill(getpid(), SIGUSR1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    eventfd_t count;
    after(0);
    if (eventfd_read(counter, &count) != 0)
        abort();
    USE(x);
    return unused;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    counter = eventfd(1, 0);
    if (counter < 0)
        return 1;
    run(a, b);
    return 0;
}
