// violation: fails the assertion
// race: x
// To sleep orders nothing, however long.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int x;

static void *set(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    usleep(100000);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
