/*
 * A thread waits for 1, which another stores and takes back for ever: a schedule may pass the
 * thread over each time, but another lets it go on. With -DNEVER the other stores 2: the thread
 * goes on in no continuation.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifdef NEVER
enum { OFFER = 2 };
#else
enum { OFFER = 1 };
#endif
static atomic_int gate;

static void *await(void *arg)
{
    while (gate != 1)
        continue;
    return arg;
}

static void *offer(void *arg)
{
    for (;;) {
        gate = OFFER;
        gate = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, await, NULL);
    pthread_create(&threads[1], NULL, offer, NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
