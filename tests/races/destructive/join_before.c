// race: x
/* A read before the join. */
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
    after(0);
    USE(x);
    pthread_join(thread, NULL);
    return 0;
}
