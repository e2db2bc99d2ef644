// race: x
/* A recursive mutex on one side only. */
#define _GNU_SOURCE
#include "../race.h"

int x;
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
