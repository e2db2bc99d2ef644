// no race
/* Writes before and after a barrier. */
#include "../race.h"

int x;
static pthread_barrier_t barrier;

static void *a(void *unused)
{
    x = 1;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *b(void *unused)
{
    pthread_barrier_wait(&barrier);
    x = 2;
    return unused;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    run(a, b);
    return 0;
}
