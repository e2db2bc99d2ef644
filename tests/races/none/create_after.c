// no race
/* A write of the creator before the creation. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    after(0);
    USE(x);
    return unused;
}

int main(void)
{
    pthread_t thread;
    x = 1;
    pthread_create(&thread, NULL, a, NULL);
    done(0);
    pthread_join(thread, NULL);
    return 0;
}
