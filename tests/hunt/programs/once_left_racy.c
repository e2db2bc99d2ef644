/*
 * The racy twin of once_left.c: a thread looks without passing the once.
 *
 * hunt: runs destructive sc
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
    return arg;
}

static void *look(void *arg)
{
    int seen = runs;
    assert(runs == seen);
    return arg;
}

int main(void)
{
    pthread_t threads[3];

    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
