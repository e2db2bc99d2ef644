// no race
/* What was done before sigaction is seen by the handler, in whichever thread. */
#include "../race.h"
#include <signal.h>

int x;

static void handler(int signo)
{
    USE(x + signo);
}

static void *a(void *unused)
{
    struct sigaction action = {.sa_handler = handler}, before;
    x = 1;
    if (sigaction(SIGUSR1, &action, NULL) != 0 || sigaction(SIGUSR1, NULL, &before) != 0)
        abort();
    if (before.sa_handler != handler)
        abort();

    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    raise(SIGUSR1);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
