// race: x
/* A read in a later epoch than the write it sees. */
#include "../race.h"

int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    x = 1;
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    USE(x);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    x = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
