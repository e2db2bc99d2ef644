// expect: signal SIGSEGV
// A handler for SIGSEGV that faults itself: blocked by then, the second is fatal.
#include <signal.h>
#include <stddef.h>

static int *volatile nowhere;

static void handle(int signo)
{
    *nowhere = signo;
}

int main(void)
{
    signal(SIGSEGV, handle);
    *nowhere = 1;
    return 0;
}
