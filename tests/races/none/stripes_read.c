// no race
/* A loop reads two fields of each element; another thread writes the one beside them. */
#include "../race.h"

struct point {
    long x, y, weight[4];
};

struct point points[50];
static int once;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static long sum(void)
{
    long sum = 0;
    for (int i = 49; i >= 0; i--)
        sum += points[i].x * points[i].y;
    return sum;
}

static void *a(void *unused)
{
    long first = sum();
    pthread_mutex_lock(&guard);
    once = 1;
    pthread_mutex_unlock(&guard);
    USE(first + sum());
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&guard);
    USE(once);
    pthread_mutex_unlock(&guard);
    points[30].weight[0] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
