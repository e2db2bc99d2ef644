/* SimpleSync: the flag is written and read under a lock; unrepaired, its reader takes none. */
#include "two.h"

static int data, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg)
{
    data = 42;
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static int look(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int seen = done;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return seen;
}

static void *consumer(void *arg)
{
    if (look()) /* the slides spin: a loop that locks has no last iteration for verify */
        assert(data == 42);
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
