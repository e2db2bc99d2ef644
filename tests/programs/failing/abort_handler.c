// expect: signal SIGABRT
// A handler may see an abort, and may call abort again, but does not prevent it.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void handle(int signo)
{
    if (signo != SIGABRT)
        _exit(1);
    abort();
}

int main(void)
{
    signal(SIGABRT, handle);
    abort();
}
