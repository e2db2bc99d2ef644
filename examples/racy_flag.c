/*
 * Racy flag: a worker polls a plain `done` without synchronisation.
 *
 * The race itself does no harm: the worker stops a little sooner or later, and `main`
 * takes the lock before it reads the count. (Without the lock in the loop a compiler may
 * hoist the load and spin for ever; clang does so at -O1.)
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int done;
static int rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    while (!done) {
        pthread_mutex_lock(&lock);
        rounds++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t worker;

    pthread_create(&worker, NULL, work, NULL);
    done = 1;
    pthread_join(worker, NULL);
    assert(rounds >= 0);
    printf("stopped\n");
    return 0;
}
