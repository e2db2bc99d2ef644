// expect: double-free
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    free(arg);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *block = malloc(40);
    pthread_create(&thread, NULL, work, block);
    pthread_join(thread, NULL);
    work(block);
    work(block); /* glibc alone may miss the first, another thread's cache having it */
    return 0;
}
