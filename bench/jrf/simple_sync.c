/* SimpleSync: the same with a lock; the race is that the reader does not take it. */
#include "two.h"

static int data, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    data = 42;
    done = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *consumer(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    if (done)
        assert(data == 42);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
