// A once routine runs once, and is over before any caller returns.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int runs, ready, inner_runs;

static void initialise_inner(void)
{
    inner_runs++;
}

static void initialise(void)
{
    runs++;
    sched_yield();
    pthread_once(&inner, initialise_inner);
    ready = 1;
}

static void *work(void *arg)
{
    assert(pthread_once(&once, initialise) == 0);
    assert(ready == 1 && runs == 1 && inner_runs == 1);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
