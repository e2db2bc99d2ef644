/*
 * The twin of lock_renewed.c: the locks stay what they are, and order the threads.
 *
 * hunt: nothing
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
    visit(arg);
    return pwrite(turn, "", 1, 0) == 1 ? NULL : arg;
}

static void *second(void *arg)
{
    char byte;
    while (pread(turn, &byte, 1, 0) != 1)
        sched_yield();
    visit(&lock);
    int seen = again;
    visit(arg);
    if (seen + anew > 2)
        puts("never");
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_mutex_t *mutex = calloc(1, sizeof *mutex);

    turn = memfd_create("turn", 0);
    if (turn < 0)
        return 1;
    pthread_create(&threads[0], NULL, first, mutex);
    pthread_create(&threads[1], NULL, second, mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
