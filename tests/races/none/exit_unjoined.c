// no race
/* pthread_exit, and a read after the join. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x = 1;
    pthread_exit(unused);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, a, NULL);
    pthread_join(thread, NULL);
    USE(x);
    return 0;
}
