// no race
/* memcpy from memory that another thread writes: under one lock. */
#include "../race.h"
#include <string.h>

char from[64], to[64];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    from[40] = 1;
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    memcpy(to, from, sizeof to);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
