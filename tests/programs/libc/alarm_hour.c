// native: no
// An alarm an hour ahead interrupts a sleep of two, at once.
#include <assert.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void ring(int signo)
{
    rang = signo;
}

int main(void)
{
    signal(SIGALRM, ring);
    time_t start = time(NULL);
    alarm(3600);
    unsigned left = sleep(7200);
    assert(rang == SIGALRM && left >= 3599 && left <= 3600);
    assert(time(NULL) - start >= 3600 && time(NULL) - start < 3700);
    return 0;
}
