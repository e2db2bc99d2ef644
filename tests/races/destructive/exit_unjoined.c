// race: x
/* pthread_exit, and a read before the join. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x = 1;
    done(0);
    pthread_exit(unused);
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
