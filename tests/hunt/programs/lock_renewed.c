/*
 * What was released to a lock does not pass to another one in the same place: here the lock
 * is destroyed and initialised, or its memory freed and allocated, in between. The order of
 * the threads is that of a byte in a file, which orders nothing. lock_kept.c is the twin.
 *
 * hunt: again benign
 * hunt: anew benign
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int again, anew, turn;

static void visit(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void *first(void *arg)
{
    again = anew = 1;
    visit(&lock);
    pthread_mutex_destroy(&lock);
    visit(arg);
    free(arg);
    return pwrite(turn, "", 1, 0) == 1 ? NULL : arg;
}

static void *second(void *arg)
{
    char byte;
    while (pread(turn, &byte, 1, 0) != 1)
        sched_yield();
    pthread_mutex_init(&lock, NULL);
    visit(&lock);
    int seen = again;
    pthread_mutex_t *mutex = calloc(1, sizeof *mutex); /* where the other was */
    visit(mutex);
    if (seen + anew > 2)
        puts("never");
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    turn = memfd_create("turn", 0);
    if (turn < 0)
        return 1;
    pthread_create(&threads[0], NULL, first, calloc(1, sizeof(pthread_mutex_t)));
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
