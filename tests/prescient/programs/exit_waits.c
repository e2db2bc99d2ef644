/*
 * Main exits with what it has foreseen, and the worker that stores it runs on meanwhile.
 *
 * options: --trials 40
 * hunt: done destructive hb
 * hunt: x destructive oota
 * says: exit status 3, expected 0
 * says: done showed 1 from the future
 */
#include <pthread.h>
#include <stdlib.h>

static int x, done;

static void *store(void *arg)
{
    while (!done)
        continue;
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, store, NULL);
    pthread_detach(thread);
    int early = x;
    done = 1;
    exit(early ? 3 : 0);
}
