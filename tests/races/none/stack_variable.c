// no race
/* A local of main, written by a thread and, once that is joined, by main. */
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
    pthread_join(thread, NULL);
    local = 2;
    USE(*shared);
    return 0;
}
