// race: x
/* A detached thread that has ended is ordered with nobody. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x = 1;
    done(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, a, NULL);
    pthread_detach(thread);
    after(0);
    usleep(10000);
    x = 2;
    return 0;
}
