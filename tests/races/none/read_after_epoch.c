// no race
/* Reads and writes on both sides of a lock. */
#include "../race.h"

int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    x = 1;
    USE(x);
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
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
