// expect: heap-overflow
// native: no
// A length below zero: the copy ends at the end of the block, not never.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *from, *to;
static volatile size_t size = -8;

static void *copy(void *arg)
{
    memmove(to, from, size);
    return arg;
}

int main(void)
{
    pthread_t thread;
    from = malloc(64);
    to = malloc(64);
    memset(from, 0, 64);
    pthread_create(&thread, NULL, copy, NULL);
    pthread_join(thread, NULL);
    return to[0];
}
