// race: x
/* Writes after the same phase of a barrier that is used twice. */
#include "../race.h"

int x;
static pthread_barrier_t barrier;

static void *a(void *unused)
{
    pthread_barrier_wait(&barrier);
    x = 1;
    done(0);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *b(void *unused)
{
    pthread_barrier_wait(&barrier);
    after(0);
    x = 2;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    run(a, b);
    return 0;
}
