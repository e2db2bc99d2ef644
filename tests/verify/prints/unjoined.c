// output: main
// output: main thread
// output: thread main
// The initial thread ends the program whether or not the other one has printed.
#include <pthread.h>
#include <stdio.h>

static void *print(void *unused)
{
    puts("thread");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, print, NULL);
    pthread_detach(thread);
    puts("main");
    return 0;
}
