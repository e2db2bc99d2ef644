// no race
/* A lock ten thousand times, and once more. */
#include "../race.h"

int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    x = 1;
    for (int i = 0; i < 10000; i++) {
        pthread_mutex_lock(&m);
        y++;
        pthread_mutex_unlock(&m);
    }
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    y++;
    x = 2;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
