// no race
/* A struct of 40 bytes, copied at once: under one lock. */
#include "../race.h"

struct {
    long v[5];
} s, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    s = other;
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    s.v[3] = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
