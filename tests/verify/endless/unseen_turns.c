/* A thread changes for ever what no other thread sees: it has no events, and what it would do next
   is not known. That is no proof. */
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

static void *breathe(void *arg)
{
    for (;;)
        breath = !breath;
    return arg;
}

static void *look(void *arg)
{
    (void)(ball == 2);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, ping, NULL);
    pthread_create(&threads[1], NULL, breathe, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
