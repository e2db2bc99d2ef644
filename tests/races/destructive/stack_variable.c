// race: local
/* A local of main, written by main and by a thread. */
#include "../race.h"

int *volatile shared;

static void *a(void *unused)
{
    *shared = 1;
    done(0);
    return unused;
}

int main(void)
{
    int local = 0;
    shared = &local;
    pthread_t thread;
    pthread_create(&thread, NULL, a, NULL);
    after(0);
    local = 2;
    USE(*shared);
    pthread_join(thread, NULL);
    return 0;
}
