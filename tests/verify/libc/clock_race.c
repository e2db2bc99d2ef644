// race: now
// models: sc tso pso c11
// clock_gettime() stores to the structure when another thread reads it.
#include <pthread.h>
#include <time.h>

static struct timespec now;
static long seconds;

static void *tick(void *unused)
{
    clock_gettime(CLOCK_REALTIME, &now);
    return unused;
}

static void *look(void *unused)
{
    seconds = (long)now.tv_sec;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, tick, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
