// race: x
/* A write of the creator behind the creation. */
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
    pthread_create(&thread, NULL, a, NULL);
    x = 1;
    done(0);
    pthread_join(thread, NULL);
    return 0;
}
