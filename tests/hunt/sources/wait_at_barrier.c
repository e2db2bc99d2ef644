/* A race that does no harm, in a program that verify does not explore under hb. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int hint;

static void *work(void *arg)
{
    hint = hint ? hint : 1;
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
