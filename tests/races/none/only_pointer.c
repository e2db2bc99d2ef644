// no race
/* A block whose only pointer is a variable: the optimiser puts it into a variable of its own; a
   lock guards it. */
#include "../race.h"

static int *calls;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    pthread_mutex_lock(&m);
    ++*calls;
    pthread_mutex_unlock(&m);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&m);
    ++*calls;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    calls = malloc(sizeof *calls);
    *calls = 0;
    run(a, b);
    return 0;
}
