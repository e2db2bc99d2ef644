// join gives the result once; joining oneself is refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *returns(void *arg)
{
    return arg;
}

static void *exits(void *arg)
{
    pthread_exit(arg);
}

int main(void)
{
    pthread_t thread;
    void *result;
    int value;
    assert(pthread_create(&thread, NULL, returns, &value) == 0);
    assert(pthread_join(thread, &result) == 0 && result == &value);
    assert(pthread_create(&thread, NULL, exits, &value) == 0);
    assert(pthread_join(thread, &result) == 0 && result == &value);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    assert(pthread_create(&thread, NULL, returns, NULL) == 0);
    assert(pthread_detach(thread) == 0);
    return 0;
}
