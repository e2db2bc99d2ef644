// expect: signal SIGTERM
#include <signal.h>
#include <unistd.h>

int main(void)
{
    kill(getpid(), SIGTERM);
    for (;;)
        sleep(1);
}
