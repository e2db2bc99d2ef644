/* A sleep ends while other threads spin. TWIN: they are never told to stop. */
#include <pthread.h>
#include <unistd.h>

static volatile int stop;

static void *spin(void *arg)
{
    while (!stop)
        continue;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spin, NULL);
    pthread_create(&b, NULL, spin, NULL);
    sleep(1);
#ifndef TWIN
    stop = 1;
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
