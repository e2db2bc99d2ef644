// race: x
/* A race after ten thousand locks. */
#include "../race.h"

int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    for (int i = 0; i < 10000; i++) {
        pthread_mutex_lock(&m);
        y++;
        pthread_mutex_unlock(&m);
    }
    x = 1;
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
