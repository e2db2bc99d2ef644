// expect: use-after-free
// native: no
// A block that a constructor allocated is under control like any other.
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
    free(block);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, release, NULL);
    pthread_join(thread, NULL);
    return block[1] == 3;
}
