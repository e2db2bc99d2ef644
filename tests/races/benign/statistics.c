// race: hits
/* A counter that is read without its lock. */
#include "../race.h"

long hits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    hits++;
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(hits);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
