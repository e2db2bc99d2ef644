// no race
/* Two threads at the same moment, under a lock. */
#include "../race.h"

int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *b(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
