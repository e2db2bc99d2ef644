// expect: hang
// options: --steps 20000
// native: no
// A signal handler that never returns.
#include <sched.h>
#include <signal.h>

static void handle(int signo)
{
    while (signo)
        sched_yield();
}

int main(void)
{
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    return 0;
}
