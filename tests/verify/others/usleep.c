// A loop that sleeps until it is told to go on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int x;

static void *set(void *arg)
{
    usleep(500);
    x = 1;
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    while (!atomic_load(&ready))
        usleep(100);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
