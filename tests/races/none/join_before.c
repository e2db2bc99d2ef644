// no race
/* A read after the join. */
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
    pthread_join(thread, NULL);
    USE(x);
    return 0;
}
