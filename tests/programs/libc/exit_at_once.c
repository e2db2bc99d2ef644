// expect: exit 3
// _exit ends the program at once, whatever the others do.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
    _Exit(9);
}

static void *work(void *arg)
{
    for (;;)
        sleep(1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    atexit(never);
    pthread_create(&thread, NULL, work, NULL);
    _exit(3);
}
