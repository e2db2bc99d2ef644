/*
 * The twin of progress_beside.c: the counter decides. Both threads look at it twice before they
 * take one from it, so that the switch that the failure needs may come before either.
 *
 * hunt: left destructive sc
 */
#include <assert.h>
#include <pthread.h>

static int left = 1;

static void *take(void *arg)
{
    if (left > 0 && left < 10)
        left -= 1;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(left >= 0);
    return 0;
}
