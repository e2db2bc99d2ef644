/*
 * The twin of lock_renewed.c: the locks stay what they are, and order the threads.
 *
 * hunt: nothing
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int again, anew, turns[2];

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
    return write(turns[1], "", 1) == 1 ? NULL : arg;
}

static void *second(void *arg)
{
    char turn;
    if (read(turns[0], &turn, 1) != 1)
        abort();
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

    if (pipe(turns) != 0)
        return 1;
    pthread_create(&threads[0], NULL, first, mutex);
    pthread_create(&threads[1], NULL, second, mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
