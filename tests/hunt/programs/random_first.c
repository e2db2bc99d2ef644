/*
 * A number that is not random: verify would see others, because it does not restore the state of
 * rand(), and a failure that no process has.
 *
 * hunt: nothing
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int drawn;

static void *draw(void *arg)
{
    pthread_mutex_lock(&m);
    if (drawn++ == 0)
        assert(rand() == 1804289383);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, draw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
