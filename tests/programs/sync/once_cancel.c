// A thread that leaves in the middle of a once routine leaves it undone: the next runs it again.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, done;

static void initialise(void)
{
    if (runs++ == 0)
        pthread_exit(NULL);
    done = 1;
}

static void *work(void *arg)
{
    pthread_once(&once, initialise);
    assert(done && runs == 2);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(done && runs == 2);
    return 0;
}
