// expect: exit 0
// A block that a constructor allocated is freed after its last use: nothing is found.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long *block;

__attribute__((constructor)) static void make(void)
{
    block = malloc(64);
    block[1] = 2;
}

static void *release(void *arg)
{
    assert(block[1] == 2);
    free(block);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, release, NULL);
    pthread_join(thread, NULL);
    return 0;
}
