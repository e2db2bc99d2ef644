// expect: deadlock
// native: no
// Nobody sends the signal that the descriptor is read for.
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int main(void)
{
    struct signalfd_siginfo info;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return read(signalfd(-1, &set, 0), &info, sizeof info) == sizeof info;
}
