/*
 * Two threads hand a ball to each other for ever, and a third watches. With -DDROPPED the second
 * one does not hand it back: the first waits for ever, though the second and the third go on.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ball, breath;

static void *ping(void *arg)
{
    for (;;) {
        ball = 1;
        while (ball != 0)
            continue;
    }
    return arg;
}

static void *pong(void *arg)
{
    for (;;) {
#ifdef DROPPED
        breath = !breath;
#else
        while (ball != 1)
            continue;
        ball = 0;
#endif
    }
    return arg;
}

static void *watch(void *arg)
{
    for (;;) {
        int now = ball + 2 * breath;
        assert(now >= 0 && now < 4);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, ping, NULL);
    pthread_create(&threads[1], NULL, pong, NULL);
    pthread_create(&threads[2], NULL, watch, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
