// race: x
/* A read before a loop and one behind it; in the loop the thread hands over what it has read. */
#include "../race.h"

long x, sum;
volatile int turns = 3;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    long first = x;
    for (int i = 0; i < turns; i++) {
        pthread_mutex_lock(&guard);
        sum += first;
        pthread_mutex_unlock(&guard);
    }
    USE(x);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&guard);
    sum = 0;
    pthread_mutex_unlock(&guard);
    x = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
