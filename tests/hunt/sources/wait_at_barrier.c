/* A race that does no harm; threads that meet at a barrier, and are joined. With LIMIT there is a
   time limit to that, and verify does not explore it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_barrier_t barrier;
static int hint;

static void *work(void *arg)
{
    hint = hint ? hint : 1;
    pthread_barrier_wait(&barrier);
    return arg;
}

static void join(pthread_t thread)
{
#ifdef LIMIT
    const struct timespec late = {.tv_sec = 2000000000};
    pthread_timedjoin_np(thread, NULL, &late);
#else
    pthread_join(thread, NULL);
#endif
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        join(threads[i]);
    pthread_barrier_destroy(&barrier);
    return 0;
}
