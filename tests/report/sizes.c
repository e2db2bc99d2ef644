// sizes N: a witness of N events and a few. Thread 1 writes N times and then raises a flag;
// thread 2, which waits for it, may see any of the earlier values.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int data, ready, last;

static void *send(void *unused)
{
    for (int i = 1; i <= last; i++)
        data = i;
    ready = 1;
    return unused;
}

static void *receive(void *unused)
{
    while (!ready)
        sleep(1); /* virtual: a few turns, however long thread 1 takes */
    assert(data == last);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    last = argc > 1 ? atoi(argv[1]) : 1;
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
