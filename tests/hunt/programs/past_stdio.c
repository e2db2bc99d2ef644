/*
 * What goes wrong shows in what is written past stdio, which verify does not see: it must not call
 * the race on data benign.
 *
 * options: --no-prescient
 * hunt: data destructive pso
 * hunt: ready proved-benign
 */
#include <pthread.h>
#include <unistd.h>

static int data;
static volatile int ready;

static void *produce(void *arg)
{
    data = 1;
    ready = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    while (!ready)
        continue;
    if (!data && write(STDOUT_FILENO, "early\n", 6) != 6)
        return 2;
    pthread_join(thread, NULL);
    return 0;
}
