/* The smallest program with a thread, in three files: hello.c, worker.c, counter.h. */
#include <pthread.h>
#include <stdio.h>

#include "counter.h"

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    return 0;
}
