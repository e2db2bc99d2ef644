/*
 * A thread works until it is told to stop, which changes shared memory in each turn. With
 * -DFORGOTTEN nobody tells it, and main waits for ever: that is no livelock, but no execution ends.
 * With -DCOUNTS a turn changes something that only the thread sees: the states do not end.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, phase;
static int turns;

static void *work(void *arg)
{
    while (!stop) {
        phase = !phase;
#ifdef COUNTS
        turns++;
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    (void)turns;
    (void)phase;
#ifndef FORGOTTEN
    stop = 1;
#endif
    (void)(phase + stop);
    pthread_join(thread, NULL);
    return 0;
}
