// expect: assert
#include <assert.h>
#include <pthread.h>

static int zero;

static void *work(void *arg)
{
    assert(zero == 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
