// no race
/* A write of sixteen bytes and one into its upper half: under one lock. */
#include "../race.h"

union {
    __int128 all;
    long halves[2];
} x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    x.all = 1;
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    x.halves[1] = 2;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
