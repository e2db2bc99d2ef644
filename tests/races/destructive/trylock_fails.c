// race: x
/* A trylock that fails protects nothing. */
#include "../race.h"

int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    x = 1;
    done(0);
    after(1);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(pthread_mutex_trylock(&m));
    x = 2;
    done(1);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
