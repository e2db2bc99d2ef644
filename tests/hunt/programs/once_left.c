/*
 * What a once routine did before its thread was cancelled in it happens before the next run.
 * See once_left_racy.c.
 *
 * hunt: nothing
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void prepare(void)
{
    if (runs++ == 0) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
}

static void *work(void *arg)
{
    pthread_once(&once, prepare);
    assert(runs == 2);
    return arg;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(runs == 2);
    return 0;
}
