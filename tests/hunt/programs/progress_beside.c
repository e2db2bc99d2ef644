/*
 * A counter of no importance is updated between the read of a pointer and its use. A switch at the
 * counter's accesses lets the other thread free the buffer in between, but the counter's order has
 * nothing to do with it.
 *
 * hunt: buffer[] destructive sc
 * hunt: buffer destructive tso
 * hunt: progress benign
 */
#include <pthread.h>
#include <stdlib.h>

static char *buffer;
static int progress;

static void *discard(void *arg)
{
    char *mine = buffer;
    progress += 1;
    buffer = NULL;
    free(mine);
    return arg;
}

int main(void)
{
    pthread_t thread;
    buffer = malloc(16);
    pthread_create(&thread, NULL, discard, NULL);
    char *mine = buffer;
    progress += 2;
    if (mine)
        mine[3] = 1;
    pthread_join(thread, NULL);
    return 0;
}
