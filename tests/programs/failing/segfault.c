// expect: signal SIGSEGV
// A null pointer, in a thread that is not the first.
#include <pthread.h>

static int *volatile nowhere;

static void *work(void *arg)
{
    *nowhere = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
